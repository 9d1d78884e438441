// Attributes of styles, as a record keeps them ("16px") and as the wire says them: a value, its unit, the CSS variable, the kind of input.
import type { JsonValue, Schema } from '../../contract/types.ts';

export type AttributeUI = 'COLOR' | 'NUMBER' | 'SELECT' | 'TEXT' | 'TOGGLE';
export type AttributeValue = {
  value: JsonValue;
  unit: string | null;
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

/** Whose styles they are: those of widgets, or of the customer portal. */
export type StyleFamily = 'widget' | 'portal';

/** The CSS variable of an attribute: ("optionLabel", "fontSize") -> "--sub-widget-option-label-font-size". */
export const cssVariable = (styleKey: string, attributeKey: string, family: StyleFamily = 'widget'): string =>
  `--sub-${family}-${kebab(styleKey)}-${kebab(attributeKey)}`;

/** "16px" -> 16 and "px"; what is no number with a unit stands as it is. */
export function splitUnit(stored: JsonValue | undefined): AttributeValue {
  const [, number, unit] = typeof stored === 'string' ? (/^(-?\d+(?:\.\d+)?)(px|%|em|rem)?$/.exec(stored) ?? []) : [];
  return number === undefined ? { value: stored ?? null, unit: null } : { value: Number(number), unit: unit ?? null };
}

/** The way back; undefined where there is no value, so that the standard one holds (D042). */
export function joinUnit({ value, unit }: Partial<AttributeValue> = {}): JsonValue | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return unit ? `${String(value as string | number)}${unit}` : typeof value === 'number' ? String(value) : value;
}

/** The kind of input that an attribute has (attributeComponentUI, D041). */
export function attributeUI(schema: Schema): AttributeUI {
  if (schema.format === 'color') return 'COLOR';
  if (schema['x-ui']?.widget === 'size') return 'NUMBER';
  if (schema.oneOf) return 'SELECT';
  return [schema.type].flat().includes('boolean') ? 'TOGGLE' : 'TEXT';
}

export type Styles = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
/** Styles as CSS variables; what has no value has its standard one before this is called. */
export const cssVariables = (styles: Styles, family?: StyleFamily): Record<string, string> =>
  Object.fromEntries(
    Object.entries(styles).flatMap(([styleKey, attributes]) =>
      Object.entries(attributes).flatMap(([key, value]) =>
        typeof value === 'string' ? [[cssVariable(styleKey, key, family), value]] : [],
      ),
    ),
  );
