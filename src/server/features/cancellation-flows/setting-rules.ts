// What no schema can say about the preferences of cancelling.
import type { SettingRules } from '../../platform/records/rules.ts';
import { t } from '../../../domain/text/t.ts';

export const settingRules: Record<string, SettingRules> = {
  // Keeping customers from cancelling is for the store to answer for.
  'cancellation-flow': {
    validate: page =>
      page.minimumOrdersBehavior === 'BLOCK_WITH_MESSAGE' && page.acceptsResponsibility !== true
        ? [{ pointer: '/acceptsResponsibility', rule: 'required', message: t`Confirm that you answer for it.` }]
        : [],
  },
};
