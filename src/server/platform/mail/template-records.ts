// The e-mails to customers as records whose words are translated: those of the files with what the store changed about them.
import { variablesOf } from '../../../contract/messages.ts';
import { samplesOf } from '../../../domain/messages/letter.ts';
import type { LocalisedRecord, Reading } from '../texts/reading.ts';
import { readSetting } from '../records/settings.ts';
import { readyMessage } from '../texts/ready-words.ts';
import { primaryOf } from '../texts/values.ts';
import { MESSAGES, bodyText, editsOf, withEdit } from './message-edits.ts';

/** Every e-mail to customers, or one of them. */
export async function templateRecords(context: Reading, id?: string | number): Promise<LocalisedRecord[]> {
  const edits = editsOf((await readSetting(context, MESSAGES)).data);
  const primary = await primaryOf(context);
  return Object.values(context.definitions.messages)
    .filter(({ audience, key }) => audience === 'customer' && (id === undefined || key === String(id)))
    .map(kind => {
      const shown = withEdit(readyMessage(kind, primary), edits[kind.key]);
      const variables = variablesOf(context.definitions, kind);
      return {
        id: kind.key,
        data: { prefKey: kind.key, name: kind.title, subject: shown.subject, body: bodyText(shown) },
        // What an event has to say is not known here.
        template: { names: Object.keys(variables), ...(kind.when ? {} : { values: samplesOf(variables) }) },
      };
    });
}
