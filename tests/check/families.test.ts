// Mistakes in files of events and messages: told with line and column, and what was perhaps meant.
import { describe, expect, it } from 'vitest';
import { check } from '../../src/check/index.ts';
import { checkOptions, readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const files = readDefinitionFiles();
const message = (over: object): string =>
  JSON.stringify(
    {
      $schema: '../meta/message.json',
      title: 'Address changed',
      description: 'Two hours after an address was changed.',
      audience: 'customer',
      when: { event: 'shipping_address_updated' },
      subject: 'Your address was changed',
      body: ['Hi {{ customer.firstName }},'],
      purpose: 'contract',
      ...over,
    },
    null,
    2,
  );
const told = (text: string): string[] =>
  check({ ...files, 'schemas/messages/ADDRESS_CHANGED.json': text })
    .filter(problem => problem.file.startsWith('schemas/messages/'))
    .map(({ line, column, message: sentence, suggestion }) => `${line}:${column} ${sentence}${suggestion ? ` (${suggestion})` : ''}`);

describe('the check of messages and events', () => {
  it('finds nothing wrong with a right one', () => {
    expect(
      told(message({ body: ['{{ event.after.shippingAddress.city }}', '{% for p in subscription.products %}{{ p.name }}{% endfor %}'] })),
    ).toEqual([]);
  });

  it.each([
    [
      { when: { event: 'shipping_adress_updated' } },
      ['7:14 There is no event "shipping_adress_updated" in schemas/events. (shipping_address_updated)'],
    ],
    [
      { body: ['Hi "you",\n{{ customer.fristName }}'] },
      ['11:22 There is no variable "customer.fristName" for this message. (customer.firstName)'],
    ],
    [{ subject: '{{ event.befor }}' }, ['9:18 There is no variable "event.befor" for this message. (event.before)']],
    [{ body: ['Hi {% if customer.name %}there'] }, ['11:9 This template is not right: tag {% if customer.name %} not closed.']],
    [{ body: ['{{ customer.name | shout }}'] }, ['11:5 This template is not right: undefined filter: shout.']],
    [
      { variables: { city: { title: 'City', sample: 'Albany' } } },
      ['14:16 A message that follows an event has no sender to give it variables; use "event.…".'],
    ],
    [
      { when: undefined, variables: { 'store.name': { title: 'Name', sample: 'X' } } },
      ['12:5 "store.name" is a variable of all messages already.'],
    ],
    [{ when: { event: 'shipping_address_updated', delay: 'two hours' } }, [expect.stringMatching(/^8:14 /)]],
    [{ audience: 'everybody' }, [expect.stringMatching(/^5:15 /)]],
  ])('%j', (over, wanted) => {
    expect(told(message(over))).toEqual(wanted);
  });

  it('tells an event that stands twice, a personal member that is not told, and a tone that is not there', () => {
    const problems = check({
      ...files,
      'schemas/events/customer.json': JSON.stringify(
        {
          $schema: '../meta/events.json',
          title: 'Customers',
          subject: 'customer',
          events: {
            note_updated: { title: 'Note', payload: [] },
            customer_moved: { title: 'Moved', payload: ['city'], personal: ['citi'], $ref: '../common/badges.json#/definitions/actve' },
          },
        },
        null,
        2,
      ),
    }).map(({ file, line, message: sentence, suggestion }) => `${file}:${line} ${sentence} ${suggestion ?? ''}`.trim());
    expect(problems.sort()).toEqual(
      [
        'schemas/events/customer.json:16 The event does not tell "citi". city',
        'schemas/events/customer.json:18 schemas/common/badges.json has no /definitions/actve. active',
        'schemas/events/customer.json:6 The event "note_updated" stands in schemas/events/subscription.json already.',
      ].sort(),
    );
  });
});

it('an event that no code writes is reported where it stands, also one with a topic of webhooks, and at the message that waits for it', () => {
  const EVENTS = 'schemas/events/subscription.json';
  const text = files[EVENTS] as string;
  const more = text.replace(
    '"events": {',
    '"events": {\n    "parcel_sent": { "title": "Parcel sent", "payload": [] },' +
      '\n    "parcel_lost": { "title": "Parcel lost", "webhook": "parcel/lost", "payload": [] },',
  );
  expect(more).not.toBe(text);
  const now = { ...files, [EVENTS]: more, 'schemas/messages/ADDRESS_CHANGED.json': message({ when: { event: 'parcel_sent' } }) };
  expect(check(now, checkOptions()).map(({ file, pointer, message: sentence }) => [file, pointer, sentence.slice(0, 61)])).toEqual([
    [EVENTS, '/events/parcel_sent', 'No code of the server writes the event "parcel_sent", so noth'],
    [EVENTS, '/events/parcel_lost', 'No code of the server writes the event "parcel_lost", so noth'],
    ['schemas/messages/ADDRESS_CHANGED.json', '/when/event', 'No code of the server writes the event "parcel_sent", so noth'],
  ]);
});

it('what a word in a list of the server names is not taken for an event that happens', () => {
  const { events = [] } = checkOptions();
  // Named as filters of the log and in sentences alone.
  for (const key of ['subscription_merged', 'parcel_sent']) expect(events).not.toContain(key);
});

it('a field that an app asks for and nothing reads is reported, and so is one that its answers are compared with but that it has not', () => {
  const KLAVIYO = 'schemas/integrations/klaviyo.json';
  const text = files[KLAVIYO] as string;
  const without = text.replace(/, "names": \{[^}]*\}/, '');
  expect(without).not.toBe(text);
  expect(
    check({ ...files, [KLAVIYO]: without }, checkOptions()).map(({ pointer, message: sentence }) => [pointer, sentence.slice(0, 25)]),
  ).toEqual([['/fields/publicKey', 'Nothing reads "publicKey"']]);
  const wrong = text.replace('"names": {"publicKey"', '"names": {"publicKeys"');
  expect(check({ ...files, [KLAVIYO]: wrong }, checkOptions()).map(({ pointer }) => pointer)).toContain('/check/names/publicKeys');
});
