// Which members of definitions are texts: one walk translates them in the browser, and finds what there is to translate.
import { describe, expect, it } from 'vitest';
import { hasWords, withTexts } from '../../src/domain/text/definition-texts.ts';
import { readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const shout = (text: string): string => text.toUpperCase();

describe('texts of definitions', () => {
  it('are replaced wherever they stand; values, names and what customers read stay', () => {
    const before = {
      title: 'Subscriptions',
      of: 'subscription',
      route: 'subscriptions/[id]',
      properties: {
        value: { title: 'Value', default: 'Same as before', enum: ['one way', 'or another'] },
        title: { title: 'Title', examples: ['An example'], 'x-errors': { required: 'Enter a title.', maxLength: 'Too long.' } },
      },
      oneOf: [{ const: 'Active now', title: 'Active now' }],
      empty: { title: 'Nothing yet', text: 'Add one.' },
      steps: ['Open the editor', { title: 'Save it' }],
      keywords: ['pause', 'stop'],
      confirm: 'Pause {name}?',
      subtitle: '{name}',
      icon: 'circle-alert',
    };
    expect(withTexts(before, shout)).toEqual({
      ...before,
      title: 'SUBSCRIPTIONS',
      properties: {
        value: { title: 'VALUE', default: 'Same as before', enum: ['one way', 'or another'] },
        title: { title: 'TITLE', examples: ['An example'], 'x-errors': { required: 'ENTER A TITLE.', maxLength: 'TOO LONG.' } },
      },
      oneOf: [{ const: 'Active now', title: 'ACTIVE NOW' }],
      empty: { title: 'NOTHING YET', text: 'ADD ONE.' },
      steps: ['OPEN THE EDITOR', { title: 'SAVE IT' }],
      keywords: ['PAUSE', 'STOP'],
      confirm: 'PAUSE {NAME}?',
    });
  });

  it('a title with a sense has words of its own, or else those of every other', () => {
    const words: Record<string, string> = { '[webhook] Delivered': 'Zugestellt', Delivered: 'Geliefert', To: 'Bis' };
    const say = (text: string): string => words[text] ?? text;
    const before = [
      { const: 'SENT', title: 'Delivered', 'x-sense': 'webhook' },
      { title: 'Delivered' },
      { title: 'To', 'x-sense': 'place' },
    ];
    expect(withTexts(before, say).map(one => one.title)).toEqual(['Zugestellt', 'Geliefert', 'Bis']);
  });

  it('of an answer only the members that are named are texts, alone or in a list', () => {
    const answer = { name: 'Order ahead', title: 'Kept', rows: [{ name: 'Card expires', features: ['Flows', 'Reports'], label: null }] };
    expect(withTexts(answer, shout, ['name', 'features'])).toEqual({
      name: 'ORDER AHEAD',
      title: 'Kept',
      rows: [{ name: 'CARD EXPIRES', features: ['FLOWS', 'REPORTS'], label: null }],
    });
  });

  it('where nothing changes, the same objects come back', () => {
    const before = { title: 'A', list: [{ title: 'B' }] };
    expect(withTexts(before, text => text)).toBe(before);
  });

  it('names of code, addresses and places of values alone are no words', () => {
    for (const text of ['{title}', '#{id} · {total}', 'ORDER_SKIPPED', 'orderSchedule', 'https://example.com', '12', '%'])
      expect(hasWords(text), text).toBe(false);
    for (const text of ['Save', 'kg', '{n} {n?row|rows}', 'Enter https://example.com.', 'API']) expect(hasWords(text), text).toBe(true);
  });

  it('a name is a text where the set-up calls its tabs and tasks so, and a key everywhere else', () => {
    const given = {
      tabs: [
        { name: 'Acquire', modules: [{ key: 'plan', tasks: [{ key: 'plan', name: 'Add a plan', button: 'Add', done: { fact: 'x' } }] }] },
      ],
      fields: [{ name: 'Acquire', button: 'Add' }],
    };
    const said: string[] = [];
    withTexts(given, text => {
      said.push(text);
      return text;
    });
    expect(said).toEqual(['Acquire', 'Add a plan', 'Add', 'Add']);
  });

  it('no member that counts as a text holds the name of something else', () => {
    const files = readDefinitionFiles();
    const names = new Set<string>();
    for (const [file, text] of Object.entries(files)) {
      if (file.startsWith('schemas/meta/')) continue;
      for (const [, table] of file.matchAll(/schemas\/(?:calls|entities|settings|common)\/([\w-]+)\.json/g)) names.add(table as string);
      for (const [, name] of text.matchAll(/"(?:call|of|widget|cell|panel|icon|screen)": "([\w.-]+)"/g)) names.add(name as string);
    }
    const wrong: string[] = [];
    for (const [file, text] of Object.entries(files)) {
      if (file.startsWith('schemas/meta/')) continue;
      withTexts(JSON.parse(text) as unknown, (said, at) => {
        // A name of more than one part is no word; of one part ("order") many are both.
        if (/^[a-z]+(?:[.-][a-z]+)+$/.test(said) && names.has(said)) wrong.push(`${file} ${at}: ${said}`);
        return said;
      });
    }
    expect(wrong).toEqual([]);
  });
});
