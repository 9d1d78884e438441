// The look of the widget of version 1: what no schema says of it.
import type { SettingRules } from '../../platform/records/rules.ts';
import { cssErrors } from './custom-css.ts';

export const settingRules: Record<string, SettingRules> = {
  'widget-design': { validate: ({ customCss }) => cssErrors(customCss) },
};
