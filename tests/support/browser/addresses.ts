// The addresses of all screens in a running store: those of records by the first record that their list has.
import { callFor } from '../../../src/contract/find.ts';
import { buildRequest } from '../../../src/contract/request.ts';
import type { Definitions, JsonObject, Resource } from '../../../src/contract/types.ts';
import type { Product } from './product.ts';

/** The address of a screen. Of a record's screen that of the first record of its list; '' where the store has none. */
export async function addressOf(product: Pick<Product, 'url' | 'token'>, definitions: Definitions, screen: Resource): Promise<string> {
  if (!screen.route.includes('[')) return `/${screen.route}`;
  const [, above = '', name = '', below = ''] = /^(.*?)\[(\w+)\](.*)$/.exec(screen.route) ?? [];
  if (below.includes('[')) return '';
  const lists = Object.values(definitions.resources).filter(one => one.list);
  const list = lists.find(one => `${one.route}/` === above) ?? lists.find(one => one.of === screen.of);
  const call = list?.list?.call === undefined ? callFor(definitions, list ?? screen, 'list') : definitions.calls[list.list.call];
  if (!call) return '';
  const request = buildRequest(definitions, call, {});
  const answer = await fetch(product.url + request.url, {
    method: request.method,
    headers: { ...request.headers, 'content-type': 'application/json', authorization: await product.token() },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  const body = (await answer.json()) as JsonObject[] | { data?: JsonObject[] };
  // Rows that belong to another record can't be asked for without it.
  const [row] = (Array.isArray(body) ? body : body.data) ?? [];
  const key = row?.[name] ?? row?.[definitions.entities[call.of]?.['x-record']?.key ?? 'id'];
  return key === undefined ? '' : `/${above}${String(key)}${below}`;
}

/** The screens that there are, each once: those of resources, and a page for each of the settings that has no screen of its own. */
export function screensOf({ resources, settings }: Definitions): { name: string; screen?: Resource }[] {
  const routes = Object.values(resources).filter(screen => screen.route !== 'settings/[setting]');
  return [
    ...routes.map(screen => ({ name: `/${screen.route}`, screen })),
    ...Object.keys(settings)
      .filter(page => !routes.some(screen => screen.of === `settings/${page}`))
      .map(page => ({ name: `/settings/${page}` })),
  ];
}
