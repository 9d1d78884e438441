// The form's store: what is typed, shown, hidden, wrong and saved, without any drawing.
import { describe, expect, test, vi } from 'vitest';
import { FormStore } from '../../../src/admin/form/engine/store.ts';
import { pointerOf } from '../../../src/admin/form/engine/path.ts';
import { isFields, membersChannels } from '../../../src/admin/form/page/section-fields.ts';
import { optionsOf, schemaAt } from '../../../src/contract/paths.ts';
import { definitionsWith } from '../../support/definitions.ts';
import { compileValidator } from '../../../src/contract/validation/compile.ts';
import type { JsonObject, Schema } from '../../../src/contract/types.ts';

const schema: Schema = {
  type: 'object',
  required: ['name', 'action', 'days', 'reason'],
  properties: {
    name: { type: 'string', title: 'Name', minLength: 2 },
    action: { type: 'string', title: 'Action', enum: ['SKIP', 'CANCEL'] },
    reason: { type: 'string', title: 'Reason', minLength: 3, 'x-ui': { when: { action: 'CANCEL' } } },
    days: {
      type: 'array',
      title: 'Days',
      minItems: 1,
      maxItems: 4,
      items: {
        type: 'object',
        required: ['wait'],
        properties: {
          wait: { type: 'integer', title: 'Wait', minimum: 1 },
          note: { type: 'string', 'x-ui': { when: { wait: { minimum: 5 } } } },
        },
      },
    },
    nested: {
      type: 'object',
      title: 'Nested',
      properties: { key: { type: 'string', title: 'Key' }, seen: { type: 'string', readOnly: true } },
    },
  },
};

const value: JsonObject = { name: 'Standard', action: 'SKIP', days: [{ wait: 1 }, { wait: 6, note: 'late' }], nested: { key: 'a' } };
const make = (from: JsonObject = value) => new FormStore({ schema, validator: compileValidator(schema), value: from });
const count = (store: FormStore, channel: string) => {
  let calls = 0;
  store.subscribe(channel, () => {
    calls += 1;
  });
  return () => calls;
};

describe('changes', () => {
  test('a change shares everything beside its path and tells only those who listen there', () => {
    const store = make();
    const [name, key, nested, root] = ['/name', '/nested/key', '/nested/**', '/days#'].map(channel => count(store, channel));
    const before = store.value;
    store.set(['nested', 'key'], 'b');
    expect(store.value.days).toBe(before.days);
    expect(store.value.nested).toEqual({ key: 'b' });
    expect([name!(), key!(), nested!(), root!()]).toEqual([0, 1, 1, 0]);
  });

  test('counts the fields that differ; what is put back does not count, nothing and an empty text are the same', () => {
    const store = make({ ...value, nested: {} });
    store.set(['name'], 'Other');
    store.set(['nested', 'key'], '');
    expect(store.changeCount()).toBe(1);
    store.set(['days', 0, 'wait'], 2);
    expect(store.changeCount()).toBe(2);
    store.set(['name'], 'Standard');
    store.set(['days', 0, 'wait'], 1);
    expect(store.isDirty()).toBe(false);
  });

  test('a text that was not handed on is handed on before anything else happens', () => {
    const store = make();
    store.hold('/name', () => store.set(['name'], 'Typed'));
    expect(store.isDirty()).toBe(true);
    store.set(['action'], 'CANCEL');
    expect(store.value).toMatchObject({ name: 'Typed', action: 'CANCEL' });
    store.hold('/name', () => store.set(['name'], 'Again'));
    expect(store.check()).toBe(false);
    expect(store.value.name).toBe('Again');
  });

  test('a text is handed on by itself after a pause, a tag half typed is not', () => {
    vi.useFakeTimers();
    try {
      const [store, other] = [make(), make()];
      const seen: string[] = [];
      store.hold('/name', () => {
        seen.push('name');
      });
      other.hold(
        '/tags',
        () => {
          seen.push('tags');
        },
        true,
      );
      vi.runAllTimers();
      expect(seen).toEqual(['name']);
      other.flush();
      expect(seen).toEqual(['name', 'tags']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('discarding goes back to what was read and hands out what is lost', () => {
    const store = make();
    store.set(['name'], 'Other');
    const lost = store.discard();
    expect(store.value).toBe(store.baseline);
    store.put(lost);
    expect(store.value.name).toBe('Other');
    expect(store.changeCount()).toBe(1);
  });

  test('what is typed while a save is under way stays', () => {
    const store = make();
    store.set(['name'], 'Sent');
    const sent = store.value;
    store.set(['nested', 'key'], 'typed meanwhile');
    store.saved(sent, { ...sent, name: 'Sent', version: 2 });
    expect(store.value).toMatchObject({ name: 'Sent', nested: { key: 'typed meanwhile' } });
    expect(store.changeCount()).toBe(1);
  });
});

describe('conditions', () => {
  test('a field comes and goes with its condition and keeps what was typed; it is not saved while hidden', () => {
    const store = make();
    const members = count(store, '#');
    expect(store.isHidden('/reason')).toBe(true);
    store.set(['action'], 'CANCEL');
    expect(store.isHidden('/reason')).toBe(false);
    expect(members()).toBe(1);
    store.set(['reason'], 'Too dear');
    store.set(['action'], 'SKIP');
    expect(store.value.reason).toBe('Too dear');
    expect(store.result()).not.toHaveProperty('reason');
    store.set(['action'], 'CANCEL');
    expect(store.result()).toHaveProperty('reason', 'Too dear');
  });

  test('what a change brings to light or hides is no change of its own', () => {
    const store = make({ ...value, reason: 'Kept from before' });
    store.set(['action'], 'CANCEL');
    expect(store.changeCount()).toBe(1);
    store.set(['reason'], 'Another');
    expect(store.changeCount()).toBe(2);
    store.set(['action'], 'SKIP');
    expect(store.changeCount()).toBe(0);
  });

  test('each item of an array has its own answer', () => {
    const store = make();
    expect([store.isHidden('/days/0/note'), store.isHidden('/days/1/note')]).toEqual([true, false]);
    store.set(['days', 0, 'wait'], 9);
    expect(store.isHidden('/days/0/note')).toBe(false);
  });

  test('what is hidden is neither required nor validated', () => {
    const store = make();
    expect(store.check()).toBe(true);
    store.set(['action'], 'CANCEL');
    expect(store.check()).toBe(false);
    expect(store.errorAt('/reason')).toMatch(/Reason/);
    store.set(['action'], 'SKIP');
    expect(store.errorAt('/reason')).toBeUndefined();
    expect(store.check()).toBe(true);
  });
});

describe('errors', () => {
  test('a field is validated when it is left, not before, and only if it was changed', () => {
    const store = make();
    store.leave('/name');
    store.set(['name'], 'x');
    expect(store.errorAt('/name')).toBeUndefined();
    store.leave('/name');
    expect(store.errorAt('/name')).toBe('Name needs at least 2 characters.');
    store.set(['name'], 'xy');
    expect(store.errorAt('/name')).toBeUndefined();
  });

  test('submitting shows all errors in the order of the screen', () => {
    const store = make({ days: [{ wait: 0 }] });
    store.opened.layOut(['days', 'action', 'name'], () => undefined);
    expect(store.check()).toBe(false);
    expect(store.errors().map(error => error.pointer)).toEqual(['/days/0/wait', '/action', '/name']);
  });

  test('what the server refused stands at its field until the field is changed', () => {
    const store = make();
    const [name, other] = [count(store, '/name'), count(store, '/nested/key')];
    store.refuse([{ pointer: '/name', rule: 'unique', message: 'Another one has this name.' }]);
    expect(store.errorAt('/name')).toBe('Another one has this name.');
    store.set(['action'], 'CANCEL');
    expect(store.errorAt('/name')).toBe('Another one has this name.');
    store.set(['name'], 'Else');
    expect(store.errorAt('/name')).toBeUndefined();
    expect([name(), other()]).toEqual([2, 0]);
  });

  test("a field's own error keeps the form from being saved", () => {
    const store = make();
    store.object('/name', 'Enter the whole date.');
    expect(store.check()).toBe(false);
    store.object('/name', undefined);
    expect(store.check()).toBe(true);
  });
});

describe('arrays', () => {
  test('items keep their names when others come, go and move', () => {
    const store = make();
    const [first, second] = store.keysOf('/days', 2);
    store.insertItem(['days'], 0, { wait: 3 });
    expect(store.keysOf('/days', 3).slice(1)).toEqual([first, second]);
    store.moveItem(['days'], 0, 2);
    expect(store.keysOf('/days', 3).slice(0, 2)).toEqual([first, second]);
    expect(store.value.days).toEqual([{ wait: 1 }, { wait: 6, note: 'late' }, { wait: 3 }]);
    expect(store.removeItem(['days'], 0)).toEqual({ wait: 1 });
    expect(store.keysOf('/days', 2)[0]).toBe(second);
  });

  test('what was said about an item by its place is forgotten when places change', () => {
    const store = make({ ...value, days: [{ wait: 0 }, { wait: 2 }] });
    store.set(['days', 0, 'wait'], -1);
    store.leave('/days/0/wait');
    expect(store.errorAt('/days/0/wait')).toBeDefined();
    store.moveItem(['days'], 0, 1);
    expect(store.errorAt('/days/0/wait')).toBeUndefined();
    expect(store.check()).toBe(false);
    expect(store.errorAt('/days/1/wait')).toBeDefined();
  });

  test('too few and too many are errors of the array', () => {
    const store = make();
    store.removeItem(['days'], 0);
    store.removeItem(['days'], 0);
    expect(store.errorAt('/days')).toMatch(/at least 1/);
  });
});

test('opening the way to a field opens what is around it', () => {
  const store = make();
  const opened: string[] = [];
  store.opened.layOut([], pointer => {
    opened.push(pointer);
  });
  store.opened.reveal('/days/1/wait');
  expect(opened).toEqual(['/days/1/wait']);
  expect(store.opened.isOpen('/days/1', false)).toBe(true);
});

describe('proposals', () => {
  const offer: Schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      code: { type: 'string', maxLength: 12, 'x-ui': { propose: { as: 'slug', of: ['name'] } } },
      plans: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            count: { type: 'integer', default: 1 },
            unit: { type: 'string', default: 'MONTH' },
            title: { type: 'string', 'x-ui': { propose: { as: 'delivered', of: ['count', 'unit'] } } },
            choice: { type: 'string', 'x-ui': { propose: { as: 'interval', of: ['count', 'unit'] } } },
          },
        },
      },
    },
  };
  const fresh = (from: JsonObject = {}) => new FormStore({ schema: offer, value: from });

  test('a name follows the one it is proposed from, cut to its length, until another is typed', () => {
    const store = fresh();
    const seen = count(store, '/code');
    store.set(['name'], 'Café crème');
    expect(store.get(['code'])).toBe('cafe-creme');
    expect(seen()).toBe(1);
    store.set(['name'], 'Café crème for two');
    expect(store.get(['code'])).toBe('cafe-creme-f');
    store.set(['code'], 'mine');
    store.set(['name'], 'Tea');
    expect(store.get(['code'])).toBe('mine');
    store.set(['code'], '');
    store.set(['name'], 'Teas');
    expect(store.get(['code'])).toBe('teas');
  });

  test('a name that is saved stays', () => {
    const store = fresh({ name: 'Tea', code: 'tea' });
    store.set(['name'], 'Coffee');
    expect(store.get(['code'])).toBe('tea');
  });

  test('the words of an interval follow its count and its unit, of a duplicate too', () => {
    const store = fresh({ plans: [] });
    store.insertItem(['plans'], 0, { count: 1, unit: 'MONTH', title: 'Delivered every month', choice: '1 month' });
    store.insertItem(['plans'], 1, { count: 1, unit: 'MONTH', title: 'Delivered every month (copy)', choice: '1 month' });
    store.setMany([
      [['plans', 1, 'count'], 2],
      [['plans', 1, 'unit'], 'WEEK'],
    ]);
    expect(store.get(['plans'])).toEqual([
      { count: 1, unit: 'MONTH', title: 'Delivered every month', choice: '1 month' },
      { count: 2, unit: 'WEEK', title: 'Delivered every 2 weeks', choice: '2 weeks' },
    ]);
  });
});

describe('sections of the product', () => {
  const { resources, entities, settings } = definitionsWith({});
  const forms = Object.values(resources).flatMap(({ route, of, form }) => {
    const described = of === undefined ? undefined : (entities[of] ?? settings[of.replace('settings/', '')]);
    return form?.sections && described ? [{ route, schema: described, sections: form.sections }] : [];
  });
  for (const [name, page] of Object.entries(settings))
    if (page['x-setting']?.sections) forms.push({ route: name, schema: page, sections: page['x-setting'].sections });

  /** Each condition on a sibling that is a choice: the pointer of what it hides, the path of what it asks. */
  const conditions = forms.flatMap(({ route, schema: whole, sections }) =>
    sections.filter(isFields).flatMap(section =>
      section.fields.flatMap(field =>
        field.split('.').flatMap((_step, depth, steps) => {
          const [path, around] = [steps.slice(0, depth + 1), steps.slice(0, depth)];
          const { when } = schemaAt(whole, pointerOf(path))?.['x-ui'] ?? {};
          return Object.keys(Array.isArray(when) ? {} : (when ?? {})).flatMap(key => {
            const asked = key.startsWith('/') || key.startsWith('@') ? [] : [...around, ...key.split('.')];
            const options = optionsOf(schemaAt(whole, pointerOf(asked))).map(({ value: one }) => one);
            return options.length ? [{ name: `${route}: ${field} by ${key}`, whole, section, path, asked, options }] : [];
          });
        }),
      ),
    ),
  );

  test.each(conditions)('$name: the section hears of it', ({ whole, section, path, asked, options }) => {
    const store = new FormStore({ schema: whole, value: {}, facts: { 'store.widgetVersion': 2 } });
    const heard = membersChannels(section.fields)
      .split('\n')
      .map(channel => count(store, channel));
    const told = () => heard.reduce((sum, calls) => sum + calls(), 0);
    for (const option of options) {
      const [wasHidden, before] = [store.isHidden(pointerOf(path)), told()];
      store.set(asked, option);
      if (store.isHidden(pointerOf(path)) !== wasHidden) expect(told()).toBeGreaterThan(before);
    }
  });

  test('some of these conditions stand inside of objects', () => {
    expect(conditions.filter(({ path }) => path.length > 1).length).toBeGreaterThan(1);
  });
});
