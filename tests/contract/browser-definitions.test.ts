// The core in parts: with the frame and its own part a list is drawn exactly as with all of the definitions, for everybody; and neither
// grows with the catalogue.
import { describe, expect, test } from 'vitest';
import { checkAll } from '../../src/check/index.ts';
import { coreOf, type Core, packCore, unpackCore } from '../../src/browser-definitions/core.ts';
import { frameOf, isListOnly, withPart, packPart, partFor, unpackPart } from '../../src/browser-definitions/core-parts.ts';
import { factsOf } from '../../src/navigation/facts.ts';
import { buildRequest } from '../../src/contract/request.ts';
import { callFor, callNamed, parentsOf, resourceFor } from '../../src/contract/find.ts';
import { load } from '../../src/contract/load.ts';
import { isThere, mayOpen, navigationFor } from '../../src/navigation/navigation.ts';
import type { Access, Does, Permission, Resource, Session } from '../../src/contract/types.ts';
import { checkOptions, readDefinitionFiles } from '../../src/server/platform/definitions.ts';
import { productDefinitions } from '../support/definitions.ts';
import { withLargeCatalogue } from '../support/large-catalogue.ts';
import { session } from './session.ts';

const definitions = productDefinitions();
const whole = coreOf(definitions);
const NAMED = ['saved-views.list', 'start-up.session', 'settings.get'];
const frame = frameOf(whole, NAMED);
const lists = Object.values(definitions.resources).filter(isListOnly);
const knownTo = (resource: Resource): Core => {
  const part = partFor(whole, frame, resource, definitions.entities[resource.of ?? '']);
  // As it travels.
  return withPart(frame, unpackPart(JSON.parse(JSON.stringify(packPart(part, whole.hosts))) as never, whole.hosts));
};

const areas = (access: Access): Permission[] => Object.values(definitions.permissions).map(area => ({ ...area, access }));
const PEOPLE: Record<string, Session> = {
  'with every right': session({ permissions: areas('WRITE'), features: definitions.plans.flatMap(plan => plan.features) }),
  'who may read': session({ permissions: areas('READ'), features: definitions.plans.flatMap(plan => plan.features) }),
  'without rights': session({ permissions: areas('NO_ACCESS'), features: definitions.plans.flatMap(plan => plan.features) }),
  'on a plan without features': session({ permissions: areas('WRITE'), features: [] }),
};
const everyEntry = [...whole.navigation.main, ...whole.navigation.lower].flatMap(entry => [entry, ...(entry.items ?? [])]);

test('there are lists to look at', () => {
  expect(lists.length).toBeGreaterThan(8);
});

describe.each(lists.map(resource => [resource.route, resource] as const))('the list %s', (route, resource) => {
  const known = knownTo(resource);
  test('has the navigation of the whole, for everybody', () => {
    for (const [who, one] of Object.entries(PEOPLE)) {
      const view = { path: `/${route}`, session: one, facts: factsOf(one, definitions.facts) };
      expect(navigationFor(known, view), who).toEqual(navigationFor(whole, view));
      expect(mayOpen(known, `/${route}`, one), who).toEqual(mayOpen(whole, `/${route}`, one));
      for (const { to } of everyEntry) {
        expect([to, mayOpen(known, to, one)], who).toEqual([to, mayOpen(whole, to, one)]);
        expect([to, isThere(known, to, view.facts)], who).toEqual([to, isThere(whole, to, view.facts)]);
      }
    }
  });
  test('finds its calls, its records, and the screens around it', () => {
    for (const does of ['list', 'order'] as Does[]) expect(callFor(known, resource, does)).toEqual(callFor(whole, resource, does));
    for (const key of ['counts', 'export'])
      expect(known.calls[`${resource.calls}.${key}`]).toEqual(whole.calls[`${resource.calls}.${key}`]);
    for (const action of [...(resource.actions ?? []), ...(resource.list?.rowActions ?? []), ...(resource.list?.bulk ?? [])])
      expect(callNamed(known, action.call ?? '', resource)).toEqual(callNamed(whole, action.call ?? '', resource));
    expect(known.entities[resource.of ?? '']).toEqual(whole.entities[resource.of ?? '']);
    for (const below of ['/12', '/create'])
      expect(resourceFor(known, route + below)?.resource).toEqual(resourceFor(whole, route + below)?.resource);
    expect(parentsOf(known, route)).toEqual(parentsOf(whole, route));
    for (const head of Object.values(known.resources))
      if (head.of && head.has.includes('record')) expect(known.entities[head.of], head.of).toEqual(whole.entities[head.of]);
  });
  test('knows no more than that', () => {
    const part = partFor(whole, frame, resource, definitions.entities[resource.of ?? '']);
    expect(Object.keys(part.calls).filter(name => frame.calls[name])).toEqual([]);
    expect(JSON.stringify(packPart(part, whole.hosts)).length).toBeLessThan(12_000);
  });
});

test('a call brings with it the one that screens use of its verb', () => {
  const { calls } = frameOf({ ...whole, navigation: { main: [], lower: [] } }, ['saved-views.delete']);
  for (const call of Object.values(calls)) {
    const same = { calls: call.table, of: call.of };
    expect(callFor({ calls }, same, call.does)).toEqual(callFor(whole, same, call.does));
  }
});

test('with 1,200 calls and 230 screens the frame and the parts of the lists are what they are', () => {
  const all = coreOf(load(withLargeCatalogue(readDefinitionFiles(), { calls: 1200, screens: 230 })));
  expect([Object.keys(all.calls).length, Object.keys(all.resources).length]).toEqual([1200, 230]);
  expect(JSON.stringify(packCore(all)).length).toBeGreaterThan(JSON.stringify(packCore(whole)).length);
  expect(packCore(frameOf(all, NAMED))).toEqual(packCore(frame));
  for (const resource of lists) {
    const schema = definitions.entities[resource.of ?? ''];
    expect(partFor(all, frameOf(all, NAMED), resource, schema), resource.route).toEqual(partFor(whole, frame, resource, schema));
  }
});

test('of new screens in the navigation the frame has the heads and the calls that open them, no more', () => {
  const files = withLargeCatalogue(readDefinitionFiles(), { calls: 1200, screens: 230, inNavigation: true });
  const { problems, definitions: large } = checkAll(files, checkOptions());
  expect(problems).toEqual([]);
  const grown = frameOf(coreOf(large), NAMED);
  const added = Object.values(grown.resources).filter(head => !frame.resources[head.route]);
  expect(added.length).toBeGreaterThan(3);
  expect(Object.keys(grown.calls).length - Object.keys(frame.calls).length).toBeLessThanOrEqual(added.length);
  expect(JSON.stringify(packCore(grown)).length).toBeLessThan(1.4 * JSON.stringify(packCore(frame)).length);
});

test('a list whose call has another name for its filter is asked by that name in the browser too', () => {
  const core = unpackCore(JSON.parse(JSON.stringify(packCore(whole))) as ReturnType<typeof packCore>);
  const asked = buildRequest(core, callNamed(core, 'automations.list')!, { filter: { status: ['DRAFT'] }, limit: 5 });
  expect(asked.url).toContain(`filters=${encodeURIComponent('{"status":["DRAFT"]}')}`);
  expect(asked.url).not.toContain('filter=');
});
