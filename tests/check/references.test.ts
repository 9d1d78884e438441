// The table of what names what: complete over the grammar, and a wrong name is found wherever one may stand.
import { describe, expect, test } from 'vitest';
import { checkAll } from '../../src/check/index.ts';
import { REFERENCES, ReferenceFinder, type Reference } from '../../src/check/references.ts';
import { checkOptions, readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const files = readDefinitionFiles();
const options = checkOptions();
const finder = new ReferenceFinder(files, options.options);

/** Keys of the grammar with words of their own: what people read, what others name, paths into answers. Any other is a line of the table. */
const OWN_WORDS = new Set(
  (
    '$schema $comment $id title description text about help name one many label label detail subtitle header body intro words button primary_cta ' +
    'confirm confirmTitle confirmMany submit dismiss done error message placeholder unit prefix suffix add empty none on off explain ' +
    'otherwise planned created brief before download shortcut group tab id key keywords search group steps payload webhook assumed wrap ' +
    'out ok next previous total pattern formatMinimum formatMaximum errors x-sense subject sample default linkText action keyTitle valueTitle ' +
    'accept kinds inShop autocomplete tests currency as from owner member order list buttonText headers basic names points modules loopFeatureKey ' +
    'ctaText successText lines storePlans variables suggestions flags opens where integration/loyalty/reward/type integration/loyalty/reward/value'
  ).split(' '),
);

test('every key of the grammar that takes any text is in the table, or has words of its own', () => {
  const metas = Object.keys(files).filter(file => file.startsWith('schemas/meta/') && !file.endsWith('/names.json'));
  const places = finder.places(metas);
  expect(places.length).toBeGreaterThan(200);
  const unknown = places.filter(
    ({ place, kind, isFree }) => isFree && kind === undefined && ![place, place.split('/').at(-1) ?? ''].some(one => OWN_WORDS.has(one)),
  );
  expect(unknown.map(({ place }) => place)).toEqual([]);
  const stale = Object.keys(REFERENCES).filter(place => !places.some(one => one.place === place));
  expect(stale).toEqual([]);
});

/** A name that is not there, in the form of the one that stands there. */
const wrong = ({ name }: Reference): string =>
  /^(https?:\/\/|\/)/.test(name)
    ? name.replace(/\/(\w+)/, '/$1zq')
    : name.includes('.json')
      ? name.replace('.json', 'zq.json')
      : `${name}zq`;

function withValue(value: unknown, path: readonly (string | number)[], put: string): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return put;
  if (Array.isArray(value)) return value.map((one: unknown, i) => (i === step ? withValue(one, rest, put) : one));
  return { ...(value as object), [step]: withValue((value as Record<string, unknown>)[step], rest, put) };
}

describe('a wrong name', () => {
  const { calls } = checkAll(files, options).definitions;
  /** Where the server counts the rows of each tab, their counts are names of the tabs' own. */
  const isOwn = ({ file, place }: Reference): boolean =>
    place === 'resource/list/tabs/count' &&
    calls[`${String((JSON.parse(files[file] as string) as { calls?: string }).calls)}.counts`]?.does === 'count';
  const found = Object.keys(files)
    .flatMap(file => finder.in(file, JSON.parse(files[file] as string)))
    .filter(one => !isOwn(one));
  /** By place and family of files, some references of different files. */
  const byPlace = new Map<string, Reference[]>();
  for (const reference of found) {
    const family = reference.file
      .split('/')
      .slice(0, reference.file.startsWith('schemas/') ? 2 : 1)
      .join('/');
    const key = `${reference.place} in ${family}`;
    byPlace.set(key, [...(byPlace.get(key) ?? []), reference]);
  }

  test('is found at every kind of place of every family, at its own place', () => {
    expect(byPlace.size).toBeGreaterThan(150);
    const isFound = (planted: readonly Reference[]): boolean[] => {
      const now = { ...files };
      for (const one of planted) now[one.file] = JSON.stringify(withValue(JSON.parse(now[one.file] as string), one.path, wrong(one)));
      const { problems } = checkAll(now, options);
      return planted.map(one => {
        const at = one.path.map(step => `/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
        return problems.some(({ file, pointer, message }) => (file === one.file && pointer === at) || message.includes(`"${wrong(one)}"`));
      });
    };
    // Many at once, one in a file; what another mistake hides is tried by itself.
    let waiting = [...byPlace].map(([key, references]) => ({
      key,
      references: references.toSorted((a, b) => a.path.length - b.path.length),
    }));
    const silent: string[] = [];
    for (let round = 0; waiting.length && round < 12; round++) {
      const used = new Set<string>();
      const chosen = waiting.flatMap(({ key, references }) => {
        const one = references.find(({ file }) => !used.has(file));
        if (one) used.add(one.file);
        return one ? [{ key, one }] : [];
      });
      const seen = isFound(chosen.map(({ one }) => one));
      const right = new Set(chosen.filter((_, i) => seen[i]).map(({ key }) => key));
      waiting = waiting.filter(({ key }) => !right.has(key)).toReversed();
      if (right.size === 0) break;
    }
    for (const { key, references } of waiting)
      if (!isFound([references[0] as Reference])[0]) silent.push(`${key}: ${references[0]?.file} "${references[0]?.name}"`);
    expect(silent).toEqual([]);
  }, 300_000);
});
