// The e-mails to customers as records whose words are translated: those of the files with what the store changed about them.
import { variablesOf } from '../../../contract/messages.ts';
import { samplesOf } from '../../../domain/messages/letter.ts';
import type { LocalisedRecord, Reading } from '../texts/reading.ts';
import { readSetting } from '../records/settings.ts';
import { readyWords } from '../texts/ready-words.ts';
import { textId } from '../texts/text-id.ts';
import { primaryOf } from '../texts/values.ts';
import { MESSAGES, TEMPLATE, bodyText, editsOf, withEdit } from './message-edits.ts';

/** Every e-mail to customers, or one of them. */
export async function templateRecords(context: Reading, id?: string | number): Promise<LocalisedRecord[]> {
  const edits = editsOf((await readSetting(context, MESSAGES)).data);
  const ready = readyWords(await primaryOf(context));
  return Object.values(context.definitions.messages)
    .filter(({ audience, key }) => audience === 'customer' && (id === undefined || key === String(id)))
    .map(kind => {
      const edit = edits[kind.key];
      const shown = withEdit(kind, edit);
      const wordsOf = (key: 'subject' | 'body', standard: string): string =>
        (edit?.[key] === undefined ? ready.get(textId({ ownerKind: TEMPLATE, ownerId: kind.key, key })) : undefined) ?? standard;
      const variables = variablesOf(context.definitions, kind);
      return {
        id: kind.key,
        data: { prefKey: kind.key, name: kind.title, subject: wordsOf('subject', shown.subject), body: wordsOf('body', bodyText(shown)) },
        // What an event has to say is not known here.
        template: { names: Object.keys(variables), ...(kind.when ? {} : { values: samplesOf(variables) }) },
      };
    });
}
