// What the editors of e-mails offer (C126).
import { variablesOf } from '../../../../contract/messages.ts';
import type { JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { needTemplate } from '../templates.ts';

const GROUPS: Record<string, string> = { store: 'Store', customer: 'Customer', subscription: 'Subscription', portal: 'Customer portal' };

/** The variables of one e-mail, those of its own first; without one those of all. `sample` is what previews fill in. @throws Refusal 404 */
export async function templateVariables(context: Context, { prefKey }: { prefKey?: string }): Promise<JsonValue> {
  const { messageVariables } = context.definitions;
  const all = prefKey === undefined ? messageVariables : variablesOf(context.definitions, needTemplate(context, prefKey));
  const rows = Object.entries(all).map(([key, { title, sample }]) => ({
    key,
    label: title,
    sample,
    group: messageVariables[key] ? (GROUPS[key.split('.')[0] ?? ''] ?? 'Store') : 'This e-mail',
  }));
  return [...rows.filter(({ group }) => group === 'This e-mail'), ...rows.filter(({ group }) => group !== 'This e-mail')];
}
