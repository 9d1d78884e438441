// The weekly letter of a chart for one person: in their language, with what they may see at this moment.
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { accessOf } from '../../../contract/access.ts';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import { chartPicture } from '../../../domain/analytics/chart-picture.ts';
import { dayWords, figureWords } from '../../../domain/analytics/figure-words.ts';
import { inFigures, language } from '../../../domain/text/t.ts';
import type { Tables } from '../../../generated/tables.ts';
import { figuresOf } from '../../platform/analytics/chart-verb.ts';
import { pngOf } from '../../platform/analytics/chart-png.ts';
import { linesOf } from '../../platform/analytics/csv.ts';
import { asComponent, closedMetrics } from '../../platform/analytics/own-charts.ts';
import { peopleNow, type Person } from '../../platform/auth/sessions.ts';
import type { Message } from '../../platform/context.ts';
import { inLanguage } from '../../platform/languages.ts';
import type { Attachment } from '../../platform/mail/attachments.ts';
import { fillMessage } from '../../platform/mail/message.ts';
import { afterCommit, makeContext } from '../../platform/request-context.ts';
import type { Services } from '../../platform/services.ts';

/** Lines and columns of figures that stand in a letter; the file has all. */
const [LINES, COLUMNS] = [12, 3];
/** What the plan must hold. */
const FEATURE = 'analytics';

/** Who has joined the team (some are only invited), and the language that they read. */
export interface Reader extends Person {
  language: string;
}

interface Where {
  trx: Kysely<Tables>;
  definitions: Definitions;
  storeId: number;
}

/** People who have joined the team, by their ids; without ids all of them. */
export async function readersOf({ trx, definitions, storeId }: Where, ids?: readonly number[]): Promise<Reader[]> {
  const people = await peopleNow(trx, definitions, storeId, ids);
  const { rows } = await sql<{ id: number; language: string | null }>`select id, language from users
    where store_id = ${storeId}::integer and (invited_at is null or last_active_at is not null)`.execute(trx);
  const languages = new Map(rows.map(row => [Number(row.id), row.language ?? 'en']));
  return people.flatMap(person => {
    const language = languages.get(Number(person.user.id));
    return language === undefined ? [] : [{ ...person, language }];
  });
}

/** Whether a person may look at figures of charts. */
export function mayLook({ session }: Pick<Person, 'session'>, definitions: Definitions, metrics: readonly string[]): boolean {
  const closed = closedMetrics({ session, definitions });
  return accessOf(session).planHas(FEATURE) && metrics.every(metric => !closed.includes(metric));
}
/** Whether a chart is there for a person: their own or shared, of figures that they may look at. */
export const isFor = (person: Person, definitions: Definitions, chart: JsonObject): boolean =>
  (chart.isShared === true || chart.ownerId === person.user.id) && mayLook(person, definitions, chart.metrics as string[]);

/** What is known of a letter before its picture is drawn. */
interface Draft {
  reader: Reader;
  values: { chart: string; days: string; lines: string[][]; isMore: boolean; count: string; link: string };
  picture: string | undefined;
  file: Attachment;
}

/** The figures of a chart as one of its readers sees them. Reads alone. */
export async function draftOf(services: Services, trx: Kysely<Tables>, chart: JsonObject, reader: Reader): Promise<Draft> {
  const { store, session, user } = reader;
  const about = { store, session, user, source: 'System' as const, requestId: randomUUID(), ip: '' };
  const context = makeContext(services, about, trx, afterCommit());
  return inLanguage(reader.language, async () => {
    const { data, period, file } = await figuresOf(context, asComponent(context, chart));
    const currency = store.currency_code;
    const [head = [], ...rows] = linesOf(data, String(chart.name), {
      head: ({ label }) => label,
      figure: (value, unit) => figureWords((value ?? null) as string | number | null, unit, currency),
      day: dayWords,
    });
    // Of days the last stand here, of groups the first, which are the largest.
    const isTime = data.xType === 'DATE';
    const some = (isTime ? rows.slice(-LINES) : rows.slice(0, LINES)).map(row => row.slice(0, COLUMNS + 1));
    const days = [period.startDate, period.endDate].map(day => dayWords(day, 'day'));
    return {
      reader,
      values: {
        chart: String(chart.name),
        days: days.join(' – '),
        lines: rows.length ? [head.slice(0, COLUMNS + 1), ...some] : [],
        isMore: rows.length > some.length || head.length > COLUMNS + 1,
        count: inFigures(rows.length),
        link: `${context.address}/analytics/custom/${String(chart.id)}`,
      },
      picture: chartPicture(data, currency),
      file: {
        name: file.file?.name ?? 'chart.csv',
        contentType: file.file?.contentType ?? 'text/csv',
        content: Buffer.from(String(file.file?.content)),
      },
    };
  });
}

/** The letter with its picture; one that can't be drawn is left out, its figures are there all the same. Outside of transactions. */
export async function letterOf(
  { definitions, log }: Pick<Services, 'definitions' | 'log'>,
  { reader, values, picture, file }: Draft,
): Promise<{ message: Message; attachments: Attachment[] }> {
  const { store, user } = reader;
  const png =
    picture === undefined
      ? undefined
      : await pngOf(store.id, picture).catch((error: unknown) => {
          log.warn({ err: error, storeId: store.id }, 'The picture of a chart could not be drawn; its letter leaves without it.');
          return undefined;
        });
  const filled = inLanguage(reader.language, () => ({
    ...fillMessage(
      definitions.messages,
      'ADMIN_CHART_WEEKLY',
      { store: { name: store.name } },
      { ...values, hasPicture: png !== undefined },
    ),
    language: language(),
  }));
  return {
    message: { ...filled, to: user.email },
    attachments: [...(png ? [{ name: 'chart.png', contentType: 'image/png', cid: 'chart', content: png }] : []), file],
  };
}
