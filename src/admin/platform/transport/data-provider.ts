// react-admin's data provider over the call tables: a resource is an entity ("subscription"), its verbs are the calls that do them.
// ra-data-simple-rest makes those of plain REST.
import type {
  CreateParams,
  DataProvider,
  DeleteManyParams,
  DeleteParams,
  GetListParams,
  GetManyParams,
  GetManyReferenceParams,
  GetOneParams,
  RaRecord,
  UpdateManyParams,
  UpdateParams,
} from 'react-admin';
import { theMain } from '../../../contract/find.ts';
import type { Call, Does, JsonObject, JsonValue } from '../../../contract/types.ts';
import { callOf, type Ran, runCall } from './calls.ts';
import type { restCall as RestCall } from './rest-call.ts';
import { catalogue, definitions } from '../definitions.ts';
import type { ListInput } from '../list-query.ts';
import type { SendOptions } from './transport.ts';

/** What `meta` may say: the call by name where an entity has several of a verb, further input, the list's own input, an idempotency key. */
export interface Meta {
  call?: string;
  with?: JsonObject;
  input?: ListInput;
  key?: string;
}

/** The call that does a verb of an entity, if the catalogue that has it is there. */
const knownVerb = (entity: string, does: Does, meta?: Meta): Call | undefined =>
  meta?.call
    ? definitions.calls[meta.call]
    : theMain(Object.values(definitions.calls).filter(call => call.of === entity && call.does === does));
/** The same, waited for: any record may be asked for while the catalogue is still on its way. Throws where there is no such call. */
async function verb(entity: string, does: Does, meta?: Meta): Promise<Call> {
  const found = knownVerb(entity, does, meta) ?? (await catalogue.load(), meta?.call ? callOf(meta.call) : knownVerb(entity, does));
  if (!found) throw new Error(`No call of the definitions does "${does}" for "${entity}".`);
  return found;
}
/** Whether a call is plain REST. */
const isRest = (call: Call): boolean => call.host === 'rest';
/** Not in the first file: most pages are open before any plain REST is asked for. */
const restCall: typeof RestCall = async (...given) => (await import('./rest-call.ts')).restCall(...given);
const keyOf = (entity: string): string => definitions.entities[entity]?.record?.key ?? 'id';
const record = (entity: string, data: JsonValue): RaRecord => {
  const object = (data ?? {}) as JsonObject;
  return { ...object, id: (object[keyOf(entity)] ?? object.id) as string | number };
};
/** The parameter by which a call names its record: the one of the path, else the first required one. */
const identify = (call: Call, entity: string, id: unknown): JsonObject => {
  const names = call.in.filter(param => param.required).map(param => param.name);
  const name =
    [...call.path.matchAll(/\{(\w+)\}/g)].map(match => match[1] as string)[0] ??
    names.find(one => one === keyOf(entity)) ??
    names[0] ??
    keyOf(entity);
  return { [name]: id as JsonValue };
};

/** The wire's input of a list; the pager names the size, the page and the cursors. */
export function listInput(call: Call, input: ListInput): JsonObject {
  const pager = definitions.hosts[call.host]?.pagers[call.page ?? 'whole'] ?? {};
  const { pageSize, page, after, before, ...rest } = input;
  return {
    ...(rest as JsonObject),
    [pager.size ?? 'pageSize']: pageSize,
    ...(page ? (pager.page || !pager.offset ? { [pager.page ?? 'page']: page } : { [pager.offset]: (page - 1) * pageSize }) : {}),
    ...(after ? { [pager.after ?? 'after']: after } : {}),
    ...(before ? { [pager.before ?? 'before']: before } : {}),
  };
}

async function list(entity: string, params: Partial<GetListParams> & { signal?: AbortSignal | undefined }, more: JsonObject = {}) {
  const meta = params.meta as Meta | undefined;
  // Not waited for where it is known: a press asks the server before the page is redrawn, which takes a slow phone a tenth of a second.
  const call = knownVerb(entity, 'list', meta) ?? (await verb(entity, 'list', meta));
  const { q, ...filter } = (params.filter ?? {}) as JsonObject;
  const input: ListInput = meta?.input ?? {
    pageSize: params.pagination?.perPage ?? 25,
    ...((params.pagination?.page ?? 1) > 1 ? { page: params.pagination?.page ?? 1 } : {}),
    ...(params.sort?.field && params.sort.field !== 'id' ? { sort: params.sort.field, order: params.sort.order } : {}),
    ...(typeof q === 'string' && q ? { q } : {}),
    ...(Object.keys(filter).length ? { filter } : {}),
  };
  const wire = { ...listInput(call, input), ...more, ...meta?.with };
  const options = { early: 'list', ...(params.signal ? { signal: params.signal } : {}) } as const;
  const answer: Ran = isRest(call)
    ? await restCall(call, wire, options, (records, resource) =>
        records.getList(resource, {
          pagination: { page: input.page ?? 1, perPage: input.pageSize },
          sort: { field: input.sort ?? 'id', order: input.order ?? 'ASC' },
          filter: { ...input.filter, ...(input.q ? { q: input.q } : {}), ...more, ...meta?.with },
        }),
      )
    : await runCall(call.name, wire, options);
  const rows = Array.isArray(answer.data) ? answer.data : [];
  const info = answer.pageInfo;
  return {
    data: rows.map(row => record(entity, row)),
    total: info?.total ?? answer.total ?? rows.length,
    meta: info ?? {},
    ...(info ? { pageInfo: { hasNextPage: info.hasNextPage, hasPreviousPage: info.hasPreviousPage } } : {}),
  };
}

const writing = (meta: Meta | undefined, version?: unknown): SendOptions => ({
  ...(meta?.key ? { key: meta.key } : {}),
  ...(typeof version === 'number' ? { version } : {}),
});

async function update(entity: string, { id, data, meta, previousData }: UpdateParams): Promise<{ data: RaRecord }> {
  const call = await verb(entity, 'update', meta as Meta | undefined);
  const version: unknown = (data as JsonObject).version ?? (previousData as JsonObject | undefined)?.version;
  const { takes } = call;
  // The form holds the whole record, also what others set while it was open.
  const given = takes
    ? Object.fromEntries(Object.entries(data as JsonObject).filter(([name]) => takes.includes(name)))
    : (data as JsonObject);
  const wire = { ...given, ...identify(call, entity, id) };
  const options = writing(meta as Meta | undefined, version);
  const answer = isRest(call)
    ? await restCall(call, wire, options, (records, resource) => records.update(resource, { id, data: given, previousData: { id } }))
    : await runCall(call.name, wire, options);
  return { data: record(entity, answer.data !== null && typeof answer.data === 'object' ? answer.data : { ...(data as JsonObject), id }) };
}
async function remove(entity: string, { id, meta, previousData }: DeleteParams): Promise<{ data: RaRecord }> {
  const call = await verb(entity, 'delete', meta as Meta | undefined);
  const wire = identify(call, entity, id);
  const options = writing(meta as Meta | undefined, (previousData as JsonObject | undefined)?.version);
  if (isRest(call)) await restCall(call, wire, options, (records, resource) => records.delete(resource, { id }));
  else await runCall(call.name, wire, options);
  return { data: (previousData ?? { id }) as RaRecord };
}

const provider = {
  supportAbortSignal: true,
  getList: (entity: string, params: GetListParams) => list(entity, params),
  getManyReference: (entity: string, params: GetManyReferenceParams) =>
    list(entity, { ...params, filter: { ...params.filter, [params.target]: [params.id] } }),
  async getOne(entity: string, { id, meta, signal }: GetOneParams) {
    const call = knownVerb(entity, 'read', meta as Meta | undefined) ?? (await verb(entity, 'read', meta as Meta | undefined));
    const wire = { ...identify(call, entity, id), ...(meta as Meta | undefined)?.with };
    const options = signal ? { signal } : {};
    const answer = isRest(call)
      ? await restCall(call, wire, options, (records, resource) => records.getOne(resource, { id }))
      : await runCall(call.name, wire, options);
    return { data: record(entity, answer.data) };
  },
  async getMany(entity: string, { ids, signal }: GetManyParams) {
    const all = knownVerb(entity, 'list');
    if (all && isRest(all)) {
      const answer = await restCall(all, { id: ids }, signal ? { signal } : {}, (records, resource) => records.getMany(resource, { ids }));
      return { data: (answer.data as JsonObject[]).map(row => record(entity, row)) };
    }
    const found = await Promise.all(
      ids.map(id =>
        provider.getOne(entity, { id, ...(signal ? { signal } : {}) }).then(
          answer => answer.data,
          () => undefined,
        ),
      ),
    );
    return { data: found.filter(one => one !== undefined) };
  },
  async create(entity: string, { data, meta }: CreateParams) {
    const call = await verb(entity, 'create', meta as Meta | undefined);
    const options = writing(meta as Meta | undefined);
    const answer = isRest(call)
      ? await restCall(call, data as JsonObject, options, (records, resource) => records.create(resource, { data }))
      : await runCall(call.name, data as JsonObject, options);
    return { data: record(entity, answer.data) };
  },
  update,
  delete: remove,
  async updateMany(entity: string, { ids, data }: UpdateManyParams) {
    for (const id of ids) await update(entity, { id, data, previousData: { id } });
    return { data: ids };
  },
  async deleteMany(entity: string, { ids }: DeleteManyParams) {
    for (const id of ids) await remove(entity, { id, previousData: { id } });
    return { data: ids };
  },
  /** The one method besides: any call of the tables by its name. */
  call: (name: string, input: JsonObject = {}, options: SendOptions = {}) => runCall(name, input, options),
};

// react-admin's methods are generic over the record type; ours is the same for all, so the shapes are joined here once.
export const dataProvider = provider as DataProvider & { call: typeof provider.call };
