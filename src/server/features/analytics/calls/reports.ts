// Reports by their key: what the calls of each report's own screen do (src/contract/reports.ts).
import { reportTable } from '../../../../contract/reports.ts';
import type { Call, JsonObject, JsonValue } from '../../../../contract/types.ts';
import { refuseReport } from '../../../platform/analytics/chart-verb.ts';
import { keptFile, noted, reportFields } from '../../../platform/analytics/report-exports.ts';
import { inLine, notFound, Reply, type Context } from '../../../platform/context.ts';
import { countRecords } from '../../../platform/records/list/count.ts';
import { exportRecords, type ExportInput } from '../../../platform/records/list/export.ts';
import { listRecords, listQuery } from '../../../platform/records/list/list.ts';

interface Asked {
  key: string;
  filter?: JsonObject;
}

/** The report's own list, and what is asked for with what its records have. */
function found(context: Context, { key, filter }: Asked): { call: Call; filter: JsonObject; of: string } {
  const call = context.definitions.calls[`${reportTable(key)}.list`];
  if (!call) throw notFound('report');
  refuseReport(context, key);
  return { call, of: call.of, filter: { ...filter, ...call.where } };
}

/** C392 */
export async function data(context: Context, input: Asked & JsonObject): Promise<Reply> {
  const { call, filter, of } = found(context, input);
  const own = context.definitions.calls['reports.data'] as Call;
  const shape = context.shape(of);
  const { records, pageInfo } = await listRecords(context, shape, {
    ...listQuery(own, context.definitions.hosts[own.host], input),
    ...(call.sort ? { defaultSort: call.sort } : {}),
    filter,
    ...reportFields(context, input.key, shape),
  });
  return new Reply(records, { pageInfo });
}

/** C394 */
export async function count(context: Context, input: Asked & { q?: string }): Promise<JsonValue> {
  const { filter, of } = found(context, input);
  return { count: await countRecords(context, context.shape(of), { filter, ...(input.q ? { q: input.q } : {}) }, true) };
}

/** C393: the file, as it is read; stopped by C395. */
const exportReport = inLine('exports', async (context: Context, input: Asked & ExportInput): Promise<Reply> => {
  const { call, filter, of } = found(context, input);
  const { key, ...query } = input;
  const columns = query.columns ?? [...(context.definitions.reports[key]?.columns ?? [])];
  const sort = call.sort ? { sort: call.sort.field, order: call.sort.order } : {};
  return noted(context, key, await exportRecords(context, of, { ...sort, ...query, columns, filter }));
});
export { exportReport as export };

/** The same file again, within seven days. @throws Refusal 403 where the right to the report is lost meanwhile */
export const exportFile = inLine('exports', async (context: Context, { id }: { id: number }): Promise<Reply> => {
  const { report, reply } = await keptFile(context, id);
  refuseReport(context, report);
  return reply;
});
