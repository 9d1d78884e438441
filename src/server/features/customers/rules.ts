// Blocked addresses that are removed from the list.
import { rules } from '../../platform/records/rules.ts';
import { noteChoice } from './advertising.ts';

export const mailBlock = rules({
  async after(verb, { before }, context) {
    if (verb === 'delete' && before?.reason === 'UNSUBSCRIBED')
      await noteChoice(context, {
        address: String(before.address),
        getsAdvertising: true,
        source: context.source,
        by: context.user.email,
        at: context.now(),
      });
  },
});
