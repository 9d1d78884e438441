// The e-mails to customers as records whose words are translated: those of the files with what the store changed about them.
import { variablesOf } from '../../../contract/messages.ts';
import { renderLetter, samplesOf } from '../../../domain/messages/letter.ts';
import { placeOf } from '../../../domain/messages/liquid.ts';
import { problemSentence, templateProblems } from '../../../domain/messages/template-problems.ts';
import type { MessageKind } from '../../../contract/types.ts';
import type { LocalisedRecord, Reading } from '../texts/reading.ts';
import { readSetting } from '../records/settings.ts';
import { MESSAGES, bodyText, editsOf, withEdit } from './message-edits.ts';
import { t } from '../../../domain/text/t.ts';

/** Every e-mail to customers, or one of them. */
export async function templateRecords(context: Reading, id?: string | number): Promise<LocalisedRecord[]> {
  const edits = editsOf((await readSetting(context, MESSAGES)).data);
  return Object.values(context.definitions.messages)
    .filter(({ audience, key }) => audience === 'customer' && (id === undefined || key === String(id)))
    .map(kind => {
      const shown = withEdit(kind, edits[kind.key]);
      const names = Object.keys(variablesOf(context.definitions, kind));
      return {
        id: kind.key,
        data: { prefKey: kind.key, name: kind.title, subject: shown.subject, body: bodyText(shown) },
        names,
        problems: (field, text) => problemsOf(context, kind, names, text, field === 'subject'),
      };
    });
}

/** Unknown variables, tags that do not close, filters that can't take the sample; each with its line. */
function problemsOf(
  { definitions }: Pick<Reading, 'definitions'>,
  kind: MessageKind,
  names: readonly string[],
  text: string,
  isOneLine: boolean,
): string[] {
  const found = templateProblems(text, names).map(problem => problemSentence(problem, names, isOneLine));
  // What an event told is not known here.
  if (found.length || kind.when) return found;
  try {
    renderLetter({ subject: text, body: [] }, samplesOf(variablesOf(definitions, kind)));
    return [];
  } catch (error) {
    const { line, message } = placeOf(error);
    return [t`Line ${line}: this can't be filled in, ${message}.`];
  }
}
