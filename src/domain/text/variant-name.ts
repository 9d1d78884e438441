// What people read of a variant: the platform gives the one variant of a product without options a name that says nothing.

/** What the platform calls that variant; kept in the database, never shown. */
export const DEFAULT_VARIANT = 'Default Title';

/** Whether a name, or the values of the options it is made of, says only "the one there is". */
export const isDefaultVariant = (name: string): boolean => ['', 'default title', 'default'].includes(name.trim().toLowerCase());

/** The name of a variant as it is shown and sent: "" for the only one of its product. */
export const variantName = (name: string): string => (isDefaultVariant(name) ? '' : name);

/** What a product and its variant are called together: the product alone where it has only one. */
export const soldName = (product: string, variant: string): string => (isDefaultVariant(variant) ? product : `${product} - ${variant}`);
