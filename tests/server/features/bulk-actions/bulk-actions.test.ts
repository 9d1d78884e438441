import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { ACTIONS } from '../../../../src/server/engine/actions/catalogue.ts';
import { titleOf } from '../../../../src/server/features/bulk-actions/titles.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Bulk } from './helpers.ts';

describe.each(oneEngine)('bulk actions on %s', engine => {
  let server: TestServer;
  let bulk: Bulk;
  beforeAll(async () => {
    server = await startTestServer({ engine, jobs: true, seed: { contracts: 120, stores: 2 } });
    bulk = new Bulk(server);
  });
  afterAll(() => server?.close());
  const ids = async (status: string, count: number): Promise<number[]> =>
    (
      await bulk.query<{ id: number }>(
        "select id from contracts c where store_id = 1 and status = $1 and not is_marked_for_cancellation and not exists (select 1 from orders o where o.store_id = 1 and o.contract_id = c.id and o.status = 'PROCESSING') order by id limit $2",
        [status, count],
      )
    ).map(row => row.id);

  test('D075 a bulk action is created, run and done: every row once, with one line in the log, one in the result file and a letter to the admin', async () => {
    const chosen = await ids('ACTIVE', 12);
    const draft = await bulk.create('PAUSE_SUBSCRIPTION', { mode: 'IDS', ids: chosen }, { until: 'INDEFINITE' });
    expect(draft).toMatchObject({
      status: 'DRAFT',
      total: 12,
      processed: 0,
      label: 'Pause',
      confirmCount: null,
      actions: ['queue', 'runBulkAction', 'cancel'],
      resultFileUrl: null,
    });
    const started = await server.call('bulk-actions.runBulkAction', { id: draft.id });
    expect(started.body).toMatchObject({ success: true, message: 'Bulk action started. You can leave this page.' });
    const done = await bulk.over(draft.id);
    expect(done).toMatchObject({ status: 'COMPLETED', total: 12, processed: 12, succeeded: 12, failed: 0, skipped: 0, percent: 100 });
    for (const id of chosen) {
      expect((await bulk.contract(id)).status).toBe('PAUSED');
      expect(await bulk.notes(id, draft.id)).toMatchObject([
        { key: 'subscription_paused', source: 'System', data: { bulkActionId: draft.id } },
      ]);
    }
    const file = (await bulk.file(draft.id)).trim().split('\n');
    expect(file[0]).toBe('subscription_id,status,reason,before,after,processed_at');
    expect(file).toHaveLength(13);
    expect(file[1]).toContain('SUCCESS');
    expect(file[1]).toContain('Status: Active');
    expect(file[1]).toContain('Status: Paused');
    const mails = await bulk.query<{ template: string; text: string }>(
      "select template, text from outbox where store_id = 1 and (contract_id = any($1) and created_at > now() - interval '5 minutes' or template = 'ADMIN_BULK_ACTION_FINISHED')",
      [chosen],
    );
    expect(mails.map(mail => mail.template)).toEqual(['ADMIN_BULK_ACTION_FINISHED']);
    expect(mails[0]?.text).toContain('12 subscriptions');
    const log = await bulk.query<{ action: string }>(
      "select action from account_log where store_id = 1 and entity = 'bulk-action' and entity_id = $1 order by id",
      [String(draft.id)],
    );
    expect(log.map(line => line.action)).toEqual(['bulk_action.created', 'bulk_action.initiated']);
  });

  test('the letter goes to the addresses for reports, and to those for notifications where there are none', async () => {
    const letters = async (addresses: JsonObject): Promise<string[]> => {
      await bulk.query(
        "insert into settings (store_id, name, version, data) values (1, 'general', 1, $1) on conflict (store_id, name) do update set data = settings.data || excluded.data",
        [JSON.stringify({ storeEmail: [], adminReportingEmail: [], ...addresses })],
      );
      const { id } = await bulk.run('UPDATE_NOTE', { mode: 'IDS', ids: await ids('ACTIVE', 1) }, { mode: 'REPLACE', note: 'Ring twice' });
      const rows = await bulk.query<{ recipient: string }>(
        'select recipient from outbox where store_id = 1 and dedupe_key like $1 order by recipient',
        [`BULK_ACTION:${String(id)}:%`],
      );
      return rows.map(row => row.recipient);
    };
    const notices = { storeEmail: ['team@shop.example'] };
    expect(await letters({ ...notices, adminReportingEmail: ['reports@shop.example', 'boss@shop.example'] })).toEqual([
      'boss@shop.example',
      'reports@shop.example',
    ]);
    expect(await letters(notices)).toEqual(['team@shop.example']);
    await letters({});
  });

  test('D076 progress and status are read by the id', async () => {
    const { data } = await server.call('bulk-actions.list', {});
    const first = (data as JsonObject[]).find(one => one.total === 12);
    const status = await server.call('bulk-actions.getStatus', { id: first?.id as number });
    expect(status.data).toMatchObject({ id: first?.id, status: 'COMPLETED', percent: 100, total: 12, processed: 12 });
    expect((await server.call('bulk-actions.progress', { id: 999_999 })).status).toBe(404);
  });

  test('the catalogue names whole actions only, each with the title its record shows and a form that exists', async () => {
    const { data } = await server.call('bulk-actions.bulkActionsNameList', {});
    for (const line of (data as JsonObject[]).filter(one => !one.isSystem)) {
      expect(titleOf(String(line.key))).toBe(line.label);
      const config = await server.call('bulk-actions.config', { key: line.key as string });
      const kind = server.services.definitions.actions[String(line.key)];
      const schema = line.isSystem ? null : kind?.form;
      expect(config.data.fields.map((field: JsonObject) => field.key)).toEqual(Object.keys(schema?.properties ?? {}));
      expect([line.label, line.description, line.form]).toEqual([kind?.title, kind?.description, schema ? line.key : null]);
      expect(server.services.definitions.permissions[String(line.requiredPermission)]).toBeDefined();
      expect(line.canNotify).toBe(schema?.properties?.notify !== undefined);
    }
    // The portal stands at the server's own address: a link to it may be sent.
    expect((data as JsonObject[]).filter(one => !one.isSystem).map(one => one.key)).toEqual(
      [...ACTIONS.values()].filter(action => action.in.bulk).map(action => action.key),
    );
  });
});
