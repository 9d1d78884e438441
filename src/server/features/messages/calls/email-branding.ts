// How e-mails look, and what their editors offer (C124 to C126).
import { variablesOf } from '../../../../contract/messages.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { framed, type Scheme } from '../../../../domain/messages/frame.ts';
import { Reply, inLine, preparedBy, type Context } from '../../../platform/context.ts';
import { BRANDING, brandOf } from '../../../platform/mail/letterhead.ts';
import { MESSAGES, editsOf, letterOf } from '../../../platform/mail/message-edits.ts';
import { drawPicture, keepPicture } from '../picture.ts';
import { needTemplate, sampleValues } from '../templates.ts';
import { later, t, translated } from '../../../../domain/text/t.ts';

const OWN = later`This e-mail`;
const STORE = later`Store`;
const GROUPS: Record<string, string> = {
  store: STORE,
  customer: later`Customer`,
  subscription: later`Subscription`,
  portal: later`Customer portal`,
};

/** The variables of one e-mail, those of its own first; without one those of all. `sample` is what previews fill in. @throws Refusal 404 */
export async function templateVariables(context: Context, { prefKey }: { prefKey?: string }): Promise<JsonValue> {
  const { messageVariables } = context.definitions;
  const all = prefKey === undefined ? messageVariables : variablesOf(context.definitions, needTemplate(context, prefKey));
  const rows = Object.entries(all).map(([key, { title, sample }]) => ({
    key,
    label: translated(title),
    sample,
    group: translated(messageVariables[key] ? (GROUPS[key.split('.')[0] ?? ''] ?? STORE) : OWN),
  }));
  const isCommon = ({ key }: { key: string }): boolean => messageVariables[key] !== undefined;
  return [...rows.filter(one => !isCommon(one)), ...rows.filter(isCommon)];
}

interface Picture {
  name: string;
  content: string;
  /** What it is for, in the log; the calls that are like this one say it. */
  purpose?: string;
}
/** Keeps an uploaded picture and answers its address (C124). @throws Refusal 422, 429 */
export const image = inLine(
  'pictures',
  preparedBy(
    (context, { content }: Picture) => drawPicture(context.storeId, content),
    async (context, { name, purpose = 'e-mails' }, drawn) => {
      const url = await keepPicture(context, name, drawn);
      await context.log({
        action: 'email.image.uploaded',
        category: 'Settings',
        description: `Image “${name}” uploaded for ${purpose}`,
        after: { url },
      });
      return new Reply({ url }, { message: t`The image is uploaded.` });
    },
  ),
);

/** The sample in which the branding is shown: a letter with a button. */
const SHOWN = 'PAYMENT_METHOD_UPDATE';

/** The HTML of an e-mail in the branding that is typed, else in the one that is saved (C125). */
export async function viewCode(
  context: Context,
  { branding, scheme = 'light' }: { branding?: JsonObject; scheme?: Scheme },
): Promise<JsonValue> {
  const kind = needTemplate(context, SHOWN);
  const letter = letterOf(kind, editsOf(await context.setting(MESSAGES))[SHOWN], (await sampleValues(context, kind)) ?? {});
  const brand = brandOf(branding ?? (await context.setting(BRANDING)), context.mailBase);
  return { subject: letter.subject, html: framed({ ...letter, storeName: context.store.name, brand, scheme }) };
}
