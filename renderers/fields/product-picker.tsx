// Products and variants, chosen in a dialog. The value is a key, a list of keys, or {productIds, variantIds}.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Package, Plus, X } from 'lucide-react';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import { parametersOf } from '../../src/admin/form/fields/answers.ts';
import { PickerDialog } from '../../src/admin/form/fields/picker-dialog.tsx';
import type { Picked } from '../../src/admin/form/fields/picker-dialog.tsx';
import { choiceOf, remember, useRecords } from '../../src/admin/form/fields/records.ts';
import { keyOf } from '../../src/admin/form/fields/options.ts';
import type { Frame, FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { money } from '../../src/admin/platform/format.ts';
import { isObject } from '../../src/admin/form/engine/path.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import { Picture } from '../../src/admin/ui/thumbnail.tsx';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

type Takes = 'whole' | 'parts' | 'both';
const takesOf = (schema: Schema, options: JsonObject): Takes => {
  const what = textOption(options, 'takes');
  if (what) return what === 'products' ? 'whole' : what === 'variants' ? 'parts' : 'both';
  if (schema.properties) return 'both';
  return options.of === 'product' ? 'whole' : 'parts';
};
const namesOf = (options: JsonObject) => ({
  products: textOption(options, 'products') ?? 'productIds',
  variants: textOption(options, 'variants') ?? 'variantIds',
});

const list = (one: JsonValue | undefined): JsonValue[] => (Array.isArray(one) ? one : one === undefined || one === null ? [] : [one]);

function read(value: JsonValue | undefined, takes: Takes, options: JsonObject): Picked {
  const names = namesOf(options);
  if (isObject(value)) return { whole: list(value[names.products]), parts: list(value[names.variants]) };
  return takes === 'whole' ? { whole: list(value), parts: [] } : { whole: [], parts: list(value) };
}

const SHOWN = 5;

export default function ProductPicker(props: WidgetProps<JsonValue>) {
  const { id, label, labelId, value, schema, options, form, nullable, change, leave, describedBy, invalid } = props;
  const takes = takesOf(schema, options);
  const isGroup = schema.type === 'object' || schema.properties !== undefined;
  const isMany = isGroup || schema.type === 'array';
  const picked = read(value, takes, options);
  const [isOpen, setOpen] = useState(false);
  const [isAll, setAll] = useState(false);
  const write = ({ whole, parts }: Picked) => {
    const names = namesOf(options);
    const ids = takes === 'whole' ? whole : parts;
    change(isGroup ? { [names.products]: whole, [names.variants]: parts } : isMany ? ids : (ids[0] ?? (nullable ? null : undefined)));
    leave();
  };
  const variants = form.services.looks('variant');
  const partsOf = async (product: JsonObject): Promise<JsonObject[]> => {
    const own = Array.isArray(product.variants) ? (product.variants as JsonObject[]) : undefined;
    const found = own ?? (await form.services.find('variant', { filter: { productId: [product.id ?? null] }, pageSize: 100 })).items;
    remember(
      form.services,
      'variant',
      found.map(one => ({ productTitle: product.title ?? '', ...one })),
    );
    return found;
  };
  const count = picked.whole.length + picked.parts.length;
  const call = textOption(options, 'call');
  const parameters = parametersOf(form, options.with);
  const by = call && Object.keys(parameters).length > 0 ? { call, with: parameters } : undefined;
  return (
    <div role="group" aria-labelledby={labelId} className="f-picked" data-invalid={invalid || undefined}>
      {count > 0 && (
        <ul className="f-picked-list" aria-label={t`Chosen for ${label}`}>
          <PickedRows
            of="product"
            ids={isAll ? picked.whole : picked.whole.slice(0, SHOWN)}
            form={form}
            onRemove={one => write({ ...picked, whole: picked.whole.filter(other => keyOf(other) !== one) })}
          />
          <PickedRows
            of="variant"
            ids={isAll ? picked.parts : picked.parts.slice(0, Math.max(0, SHOWN - picked.whole.length))}
            form={form}
            onRemove={one => write({ ...picked, parts: picked.parts.filter(other => keyOf(other) !== one) })}
          />
        </ul>
      )}
      {count === 0 && isMany && typeof options.suggest === 'number' && (
        <Suggested count={options.suggest} form={form} onAdd={one => write({ ...picked, whole: [one] })} />
      )}
      <div className="p-row">
        <button
          type="button"
          id={id}
          className="p-btn p-btn-s"
          aria-describedby={describedBy}
          aria-haspopup="dialog"
          onClick={() => {
            form.store.flush();
            setOpen(true);
          }}
        >
          <Package aria-hidden="true" />
          {textOption(options, 'button') ??
            (count ? t`Change selection` : takes === 'whole' ? t`Choose products` : isMany ? t`Choose products` : t`Choose a product`)}
        </button>
        {count > SHOWN && (
          <button type="button" className="p-link" onClick={() => setAll(!isAll)}>
            {isAll ? t`Show fewer` : t`Show all ${count}`}
          </button>
        )}
      </div>
      {isOpen && (
        <PickerDialog
          title={label}
          of="product"
          services={form.services}
          picked={picked}
          multiple={isMany}
          takes={takes}
          partsOf={partsOf}
          partLooks={{
            ...variants,
            label: part => String(part.title ?? ''),
            detail: part => (part.sku ? t`SKU ${String(part.sku)}` : undefined),
          }}
          partCount={product => Number(product.variantsCount ?? (Array.isArray(product.variants) ? product.variants.length : 2))}
          aside={one => priceOf(one, form)}
          refuses={product =>
            product.isGiftCard === true
              ? t`Gift cards can't be sold on subscription`
              : typeof product.refusal === 'string'
                ? product.refusal
                : undefined
          }
          noteOf={one => (one.isCurrent === true ? t`The present one` : undefined)}
          {...(by ? { by, headingOf: product => textOption(product, 'heading') } : {})}
          {...(isObject(options.filter) ? { filter: options.filter } : {})}
          onClose={() => setOpen(false)}
          onDone={next => {
            setOpen(false);
            write(next);
          }}
        />
      )}
    </div>
  );
}

/** The first products that are sold, each to be taken with one press while there is none. */
function Suggested({ count, form, onAdd }: { count: number; form: FormHandle; onAdd: (id: JsonValue) => void }) {
  const { services } = form;
  // Where it can't be read, the dialog finds them, or says why not.
  const { data } = useQuery({
    queryKey: ['answers', 'product', 'sold', count],
    staleTime: 60_000,
    queryFn: () => services.find('product', { filter: { status: ['ACTIVE'], isGiftCard: false }, pageSize: count }),
  });
  return (
    <ul className="f-suggested" aria-label={t`Products to begin with`}>
      {data?.items.map(one => {
        const { key, value, title, picture } = choiceOf(one, services.looks('product'));
        return (
          <li key={key}>
            <button
              type="button"
              className="p-btn p-btn-s"
              onClick={() => {
                remember(services, 'product', [one]);
                onAdd(value);
              }}
            >
              <Picture src={picture} />
              <span className="p-cut">{title}</span>
              <Plus aria-hidden="true" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function priceOf(one: JsonObject, form: FormHandle): string {
  const [price, least, most] = [one.price, one.minPrice, one.maxPrice] as (string | undefined)[];
  const currency = typeof one.currencyCode === 'string' ? one.currencyCode : form.currency;
  if (price) return money(price, currency);
  return least === undefined
    ? ''
    : least === most || most === undefined
      ? money(least, currency)
      : `${money(least, currency)} – ${money(most, currency)}`;
}

function PickedRows({ of, ids, form, onRemove }: { of: string; ids: JsonValue[]; form: FormHandle; onRemove?: (key: string) => void }) {
  const looks = form.services.looks(of);
  const records = useRecords(form.services, of, ids);
  return records.map((record, index) => {
    const key = keyOf(ids[index]!);
    const choice = record ? choiceOf(record, looks) : undefined;
    const title = choice?.title ?? (record === null ? t`Deleted ${looks.one} (${key})` : '…');
    return (
      <li key={`${of}:${key}`} className="f-picked-row">
        <Picture src={choice?.picture} />
        <span className="p-cut p-grow">{title}</span>
        {record && <span className="p-muted p-tabular">{priceOf(record, form)}</span>}
        {onRemove && (
          <button type="button" className="p-icon-btn p-icon-btn-s" aria-label={t`Remove ${title}`} onClick={() => onRemove(key)}>
            <X aria-hidden="true" />
          </button>
        )}
      </li>
    );
  });
}

export function Show({ value, schema, options, form }: { value: JsonValue; schema: Schema; options: JsonObject; form: FormHandle }) {
  const picked = read(value, takesOf(schema, options), options);
  if (!picked.whole.length && !picked.parts.length) return <>–</>;
  return (
    <ul className="f-picked-list f-picked-shown">
      <PickedRows of="product" ids={picked.whole} form={form} />
      <PickedRows of="variant" ids={picked.parts} form={form} />
    </ul>
  );
}
