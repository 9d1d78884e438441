// What fields ask of the admin, answered by its data provider: records to refer to, and a place for files if the product has one.
import { useDataProvider } from 'ra-core';
import { useMemo } from 'react';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { requestOf, runCall } from '../../platform/transport/calls.ts';
import { definitions } from '../../platform/definitions.ts';
import { newKey, sendFile } from '../../platform/transport/transport.ts';
import { looksOf } from './services.ts';
import type { FormServices } from './widget.ts';

/** The call that stores a file, where the catalogue has one. */
const UPLOAD = 'files.upload';

/** The services of a form on a page of the admin. */
export function useFormServices(): FormServices {
  const provider = useDataProvider();
  return useMemo<FormServices>(() => {
    const upload = definitions.calls[UPLOAD];
    return {
      async find(of, { q, page = 1, pageSize = 25, filter, by }) {
        const answer = await provider.getList(of, {
          pagination: { page, perPage: pageSize },
          sort: { field: 'id', order: 'ASC' },
          filter: { ...filter, ...(q ? { q } : {}) },
          ...(by ? { meta: by } : {}),
        });
        const items = answer.data as JsonObject[];
        return { items, hasMore: answer.pageInfo?.hasNextPage ?? (answer.total ?? 0) > page * pageSize };
      },
      async many(of, ids) {
        const { data } = await provider.getMany(of, { ids: ids as (string | number)[] });
        return data as JsonObject[];
      },
      ask: async (call, input, signal) => (await runCall(call, input, { signal })).data,
      looks: of => looksOf(of, definitions.entities[of]?.record),
      ...(upload
        ? {
            async upload(file: File, progress: (part: number) => void) {
              progress(0.2);
              const { method, url, headers } = requestOf(upload, { name: file.name });
              const got = await sendFile({ method, url, headers: { ...headers, 'content-type': file.type } }, file, { key: newKey() });
              progress(1);
              const body = got.body as { data?: { url?: JsonValue }; url?: JsonValue };
              return { url: String(body.data?.url ?? body.url ?? '') };
            },
          }
        : {}),
    };
  }, [provider]);
}
