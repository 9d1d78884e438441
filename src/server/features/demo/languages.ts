// The languages of the demo store: English, German (published, translated) and French, which is begun.
import type { Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { Definitions } from '../../../contract/types.ts';
import { writeValues, type TextWrite } from '../../platform/texts/values.ts';
import { sourcesOf, type TextSource } from '../../platform/texts/sources.ts';
import german from './german.json' with { type: 'json' };
import type { SeedStore } from './store.ts';

const DAY_MS = 86_400_000;

const ofStore = (texts: Record<string, string>): TextWrite[] =>
  Object.entries(texts).map(([key, value]) => ({ ownerKind: 'store', ownerId: '', key, value }));
/** What the buttons of French customers say so far. */
const FRENCH = { pause: 'Mettre en pause', resume: 'Reprendre', save: 'Enregistrer', back: 'Retour', cancel: 'Annuler l’abonnement' };

/** What records say in German, by their English words; a number in them stays. */
const ofRecords = (words: Readonly<Record<string, string>>, texts: readonly TextSource[]): TextWrite[] =>
  texts.flatMap(({ ownerKind, ownerId, key, standard }) => {
    const [n = ''] = /\d+/.exec(standard) ?? [];
    const known = words[standard] ?? words[n ? standard.replace(n, '{{n}}') : standard];
    return known === undefined ? [] : [{ ownerKind, ownerId, key, value: known.replace('{{n}}', n) }];
  });

/** Adds the languages with their words; those that the product does not have any more are left out. */
export async function writeLanguages(trx: Kysely<Tables>, store: SeedStore, definitions: Definitions, now: number): Promise<void> {
  await trx
    .insertInto('records')
    .values(
      [
        { locale: 'de', name: 'German', isPublished: true },
        { locale: 'fr', name: 'French', isPublished: false },
      ].map((language, i) => ({
        store_id: store.id,
        entity: 'store-language',
        position: i + 2,
        data: JSON.stringify({ ...language, isPrimary: false }),
        updated_by: store.email,
        created_at: new Date(now - (200 - i * 190) * DAY_MS),
        updated_at: new Date(now - (40 - i * 35) * DAY_MS),
      })),
    )
    .execute();
  const known = new Set(Object.values(definitions.texts).flatMap(category => Object.keys(category.texts)));
  const scope = { trx, storeId: store.id, at: new Date(now - 5 * DAY_MS), by: store.email };
  await writeValues(
    scope,
    'fr',
    ofStore(FRENCH).filter(({ key }) => known.has(key)),
  );
}

/** The German of all records that customers read something of. Texts and e-mails have the product's words. */
export async function writeGerman(trx: Kysely<Tables>, store: SeedStore, definitions: Definitions, now: number): Promise<void> {
  const texts = await sourcesOf({ trx, storeId: store.id, definitions }, {});
  await writeValues({ trx, storeId: store.id, at: new Date(now - 70 * DAY_MS), by: store.email }, 'de', ofRecords(german, texts));
}
