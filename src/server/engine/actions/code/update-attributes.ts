// Adds, removes or replaces custom attributes of a subscription.
import { t } from '../../../../domain/text/t.ts';
import * as details from '../../edits/details.ts';
import { skip, type ActionCode } from '../action.ts';
import { setsBack } from '../sets-back.ts';

type Mode = 'ADD' | 'REMOVE' | 'REPLACE';

interface Attribute {
  key: string;
  value: string;
}

const MAX_ATTRIBUTES = 50;

export const action: ActionCode<{ mode: Mode; customAttributes?: Attribute[]; names?: string[] }, { customAttributes: Attribute[] }> = {
  undoing: setsBack('updateCustomAttributes', 'custom_attributes', (work, subscription, value) =>
    details.updateAttributes(work, subscription, { customAttributes: value as Attribute[] }),
  ),
  check: ({ mode, customAttributes = [] }) => {
    if (mode === 'REMOVE') return [];
    if (mode === 'ADD' && !customAttributes.length)
      return [{ pointer: '/customAttributes', rule: 'minItems', message: t`Enter at least one attribute.` }];
    const twice = customAttributes.findIndex((one, index) => customAttributes.some((other, i) => i < index && other.key === one.key));
    return twice < 0 ? [] : [{ pointer: `/customAttributes/${twice}/key`, rule: 'unique', message: t`This name is in the list already.` }];
  },
  one: details.updateAttributes,
  apply: (work, subscription, { mode, customAttributes = [], names = [] }) => {
    const present = subscription.contract.custom_attributes as Attribute[];
    const wanted =
      mode === 'REPLACE'
        ? customAttributes
        : mode === 'REMOVE'
          ? present.filter(one => !names.includes(one.key))
          : [
              ...present.map(one => customAttributes.find(other => other.key === one.key) ?? one),
              ...customAttributes.filter(one => !present.some(other => other.key === one.key)),
            ];
    if (wanted.length > MAX_ATTRIBUTES) throw skip(t`A subscription can have at most ${MAX_ATTRIBUTES} attributes.`);
    if (JSON.stringify(present) !== JSON.stringify(wanted)) details.updateAttributes(work, subscription, { customAttributes: wanted });
  },
};
