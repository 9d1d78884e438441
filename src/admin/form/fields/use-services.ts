// What fields ask of the admin, answered by its data provider: records to refer to, and a place for files if the product has one.
import { useDataProvider } from 'react-admin';
import { useMemo } from 'react';
import type { JsonObject } from '../../../contract/types.ts';
import { runCall } from '../../platform/transport/calls.ts';
import { definitions, loadSchema } from '../../platform/definitions.ts';
import { newKey } from '../../platform/transport/transport.ts';
import { looksOf } from './services.ts';
import type { FormServices } from './widget.ts';

/** A file in base64, as calls take it. */
const contentOf = (file: File, progress: (part: number) => void): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onprogress = ({ loaded, total }) => progress(total ? (loaded / total) * 0.3 : 0);
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => reject(new Error(`“${file.name}” can't be read. Choose it again.`));
    reader.readAsDataURL(file);
  });

/** The services of a form on a page of the admin. */
export function useFormServices(): FormServices {
  const provider = useDataProvider();
  return useMemo<FormServices>(() => {
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
      schema: loadSchema,
      looks: of => looksOf(of, definitions.entities[of]?.record),
      uploadBy: call => async (file, progress) => {
        const content = await contentOf(file, progress);
        progress(0.4);
        const { data } = await runCall(call, { name: file.name, content }, { key: newKey() });
        progress(1);
        return { url: String((data as JsonObject).url) };
      },
    };
  }, [provider]);
}
