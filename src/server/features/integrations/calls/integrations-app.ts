// What connected apps bring to e-mails.
import type { JsonValue } from '../../../../contract/types.ts';
import { translated } from '../../../../domain/text/t.ts';
import type { Context } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/integrations/store-integrations.ts';

/** Variables of e-mails that connected apps fill in (C197). */
export async function variables(context: Context): Promise<JsonValue> {
  const rows = await rowsOf(context.trx, context.storeId);
  const { integrations, messageVariables } = context.definitions;
  return Object.entries(messageVariables).flatMap(([key, { title, from }]) => {
    const kind = from && Object.values(integrations).find(one => one[from] && rows.get(one.key)?.status === 'CONNECTED');
    return kind ? [{ key, title: translated(title), integration: kind.key, name: kind.name }] : [];
  });
}
