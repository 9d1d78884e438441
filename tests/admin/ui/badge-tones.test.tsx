// The tones of badges, asked of the cell that draws them in lists and records, with the options of the product's own entities.
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { toneOf } from '../../../src/admin/ui/tone.ts';
import { fieldOf } from '../../../src/contract/paths.ts';
import { definitionsWith } from '../../support/definitions.ts';
import BadgeCell from '../../../renderers/cells/badge.tsx';

const { entities } = definitionsWith({});
const entityOf = (name: string) => {
  const entity = entities[name];
  if (!entity) throw new Error(`There is no entity "${name}".`);
  return entity;
};
/** The tone and the words of the badge of `value` in a field of an entity. */
function badgeOf(entity: string, field: string, value: string): string {
  const markup = renderToStaticMarkup(
    <BadgeCell value={value} record={{ [field]: value }} schema={fieldOf(entityOf(entity), field)} options={{}} />,
  );
  return /data-tone="(\w+)"/.exec(markup)?.[1] ?? markup;
}

it('D059 active, completed and a successful report have the tone success', () => {
  for (const entity of ['subscription', 'selling-plan-group', 'product'])
    expect(badgeOf(entity, 'status', 'ACTIVE'), entity).toBe('success');
  expect(badgeOf('bulk-action', 'status', 'COMPLETED')).toBe('success');
  expect(toneOf('reportSuccess')).toBe('success');
});

it('D060 a draft, what is in progress and a report in progress have the tone attention', () => {
  for (const entity of ['selling-plan-group', 'product', 'bulk-action'])
    expect(badgeOf(entity, 'status', 'DRAFT'), entity).toBe('attention');
  expect(badgeOf('bulk-action', 'status', 'IN_PROGRESS')).toBe('attention');
  expect(toneOf('reportInProgress')).toBe('attention');
});

it('D061 deleted, terminated, cancelled and failed have the tone critical', () => {
  expect(badgeOf('selling-plan-group', 'status', 'DELETED')).toBe('critical');
  for (const entity of ['subscription', 'bulk-action'])
    for (const status of ['CANCELLED', 'FAILED']) expect(badgeOf(entity, 'status', status), `${entity} ${status}`).toBe('critical');
  expect(badgeOf('upcoming-payment', 'subscriptionStatus', 'CANCELLED')).toBe('critical');
  expect(toneOf('terminated')).toBe('critical');
});

it('D062 a queued report has the tone info', () => {
  expect(badgeOf('bulk-action', 'status', 'QUEUED')).toBe('info');
  expect(toneOf('reportQueued')).toBe('info');
});
