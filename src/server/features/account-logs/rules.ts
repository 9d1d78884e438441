// The account log as people read it: actions in words, and who stands behind an address.
import { humanise } from '../../../contract/paths.ts';
import type { Definitions } from '../../../contract/types.ts';
import { usersByEmail } from '../team/people.ts';
import { rules } from '../../platform/records/rules.ts';

/** The words for an action: the title of the call of that name, else "Selling plan group created" for "selling-plan-group.created". */
export function actionLabel(definitions: Definitions, action: string): string {
  const call = definitions.calls[action];
  if (call?.title) return call.title;
  const dot = action.lastIndexOf('.');
  const [thing, verb] = dot < 0 ? [action, ''] : [action.slice(0, dot), action.slice(dot + 1)];
  const setting = thing.startsWith('settings.') ? definitions.settings[thing.slice('settings.'.length)]?.title : undefined;
  const name = setting
    ? `${setting} settings`
    : (definitions.entities[thing]?.['x-record']?.name.one ?? humanise(thing.replace(/[.-]/g, ' ')).toLowerCase());
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${humanise(verb).toLowerCase()}`.trim();
}

export const accountLog = rules({
  derive: {
    needs: ['action', 'userEmail'],
    members: ['actionLabel', 'userName'],
    async of(lines, context) {
      const people = await usersByEmail(context);
      return lines.map(({ action, userEmail }) => ({
        actionLabel: actionLabel(context.definitions, String(action)),
        userName: people.get(String(userEmail)) ?? (userEmail || 'System'),
      }));
    },
  },
});
