// What a store needs so that the calls of widgets have something to answer: one of each, published on a template, and their inputs.
import type { JsonObject } from '../../../../src/contract/types.ts';

export async function widgetsScene(must: (name: string, input: JsonObject) => Promise<any>): Promise<Record<string, JsonObject>> {
  const [theme] = (await must('widgets.themes', {})) as { shopifyThemeId: number }[];
  const shopifyThemeId = theme?.shopifyThemeId ?? 0;
  const inputs: Record<string, JsonObject> = {};
  for (const [table, target] of [
    ['widgets', 'PRODUCT'],
    ['gift-widgets', 'GIFT'],
    ['storefront-banners', 'STOREFRONT_BANNER'],
  ] as const) {
    const { id } = (await must(`${table}.create`, { name: `Zz${table}` })) as { id: number };
    await must(`${table}.checkTemplates`, { id: shopifyThemeId, target, templateKeys: ['product'] });
    await must(`${table}.mapping`, { id, shopifyThemeId, actionType: 'MAP', templateDetails: [{ templateKey: 'product' }] });
    await must(`${table}.togglePublish`, { id, status: 'ACTIVE' });
    for (const read of ['read', 'preferences', 'styles', 'texts']) inputs[`${table}.${read}`] = { id };
    inputs[`${table}.templates`] = { id: shopifyThemeId, target };
    if (table === 'widgets') inputs['widgets.mappings'] = { id, target };
  }
  await must('widgets.refreshStoreData', {});
  const portal = await must('theme-store.create', { name: 'Zztheme' });
  const themeStoreNanoId = String(portal.nanoId);
  const zz = { key: 'custom_section', title: 'Zzsection', html: '<p>Zz</p>' };
  const { sections } = await must('theme-store.update', { ...portal, sections: [...portal.sections, zz] });
  const [group] = (await must('selling-plan-groups.list', {})) as { lspgId: number }[];
  const groupId = group?.lspgId ?? 0;
  const { id } = inputs['widgets.read'] as { id: number };
  return {
    ...inputs,
    'theme-store.read': { id: portal.id },
    'theme-store.draw': { theme: { id: portal.id, name: 'Zz', sections } },
    'theme-field.fieldsForActiveTheme': { themeType: 'CUSTOMER_PORTAL', themeTypeCategoryKeys: ['layout', 'theme-general'] },
    'theme-texts.list': { themeStoreNanoId },
    'theme-texts.categories': { themeStoreNanoId },
    'multilingual.themeCategory': { themeNanoId: themeStoreNanoId, categoryId: 'theme-general' },
    'multilingual.customSection': { localeStoreId: 'en' },
    'widgets.hasWidget': { type: 'PRODUCT' },
    'widget-translations.listCategoryWidgets': { target: 'PRODUCT' },
    'widget-translations.translations': { id, locale: 'en', target: 'PRODUCT' },
    'widget-translations.getSellingPlanGroupPlans': { id: groupId },
    'widget-translations.sellingPlansTranslations': { id: groupId, locale: 'en' },
  };
}
