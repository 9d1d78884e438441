// Bulk actions through a running server: start one, wait for its end, read its rows and its file.
import type { JsonObject } from '../../../../src/contract/types.ts';
import type { TestServer } from '../../../support/server.ts';

export const OVER = ['COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED', 'CANCELLED'];

export interface Selected {
  mode: 'FILTER' | 'IDS' | 'CSV';
  [name: string]: unknown;
}

export class Bulk {
  readonly server: TestServer;
  constructor(server: TestServer) {
    this.server = server;
  }

  query<R = Record<string, unknown>>(text: string, params: unknown[] = []): Promise<R[]> {
    return this.server.services.db.ownerQuery<R>(text, params).then(({ rows }) => rows);
  }

  async create(
    actionKey: string,
    selection: Selected,
    input: JsonObject = {},
    more: JsonObject = {},
  ): Promise<JsonObject & { id: number; total: number }> {
    const answer = await this.server.call('bulk-actions.create', {
      actionKey,
      selection: selection as JsonObject,
      input,
      ...more,
    });
    if (answer.status !== 200) throw new Error(`create answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.data;
  }
  async over(id: number): Promise<JsonObject> {
    for (;;) {
      const { data } = await this.server.call('bulk-actions.progress', { id });
      if (OVER.includes(String(data.status))) return (await this.server.call('bulk-actions.read', { id })).data;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }
  async run(actionKey: string, selection: Selected, input: JsonObject = {}): Promise<JsonObject> {
    const draft = await this.create(actionKey, selection, input);
    const answer = await this.server.call('bulk-actions.runBulkAction', {
      id: draft.id,
      ...(draft.confirmCount === null ? {} : { confirmCount: draft.confirmCount as number }),
    });
    if (answer.status !== 200) throw new Error(`runBulkAction answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return this.over(draft.id);
  }
  async rows(id: number): Promise<JsonObject[]> {
    return (await this.server.call('bulk-actions.rows', { id, limit: 250 })).data;
  }
  async file(id: number): Promise<string> {
    const { text } = await this.server.request('GET', `/host/bulk/bulkActions/${id}/resultFile`, { as: 'owner' });
    return text.replace(/^\uFEFF/, '');
  }
  contract(id: number): Promise<Record<string, any>> {
    return this.query<Record<string, any>>('select * from contracts where store_id = 1 and id = $1', [id]).then(
      ([row]) => row as Record<string, any>,
    );
  }
  notes(contractId: number, bulkId: number): Promise<{ key: string; source: string; data: JsonObject }[]> {
    return this.query(
      "select key, source, data from events where store_id = 1 and contract_id = $1 and (data->>'bulkActionId')::bigint = $2 order by id",
      [contractId, bulkId],
    );
  }
}
