// What a selling plan group is offered on: products with how many of their variants, and collections whose products follow by themselves.
// Changes are saved at once, apart from the form; removing offers Undo.
import { ChevronRight, Plus, Search, X } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { allowsCall } from '../../src/contract/access.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { callOf, useCall } from '../../src/admin/platform/transport/calls.ts';
import { PickerDialog } from '../../src/admin/form/fields/picker-dialog.tsx';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useFormServices } from '../../src/admin/form/fields/use-services.ts';
import { count } from '../../src/admin/platform/format.ts';
import { notify, notifyError } from '../../src/admin/ui/notices/notices.tsx';
import { More } from '../../src/admin/record/sections.tsx';
import { useAnswer } from '../../src/admin/record/use-rows.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import '../../src/admin/record/styles/plans.css';
import { Picture } from '../../src/admin/ui/thumbnail.tsx';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

/** Ids that one call takes. */
const AT_ONCE = 250;
const TABLE = 'selling-plan-groups';
/** States of a collection whose products are not all here yet. */
const COPYING = ['QUEUED', 'IN_PROGRESS'];
const rows = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);
const ids = (value: JsonValue | undefined): number[] => (Array.isArray(value) ? value.filter(one => typeof one === 'number') : []);
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const STATUSES: Record<string, string> = { ARCHIVED: t`archived`, DRAFT: t`draft` };
/** How many products a collection holds. */
function sizeOf({ productsCount }: JsonObject): string {
  const n = Number(productsCount ?? 0);
  return n === 1 ? t`Collection, 1 product` : t`Collection, ${count(n)} products`;
}

export default function PlanMapping({ data, section, reload }: FormPanelProps) {
  const id = useId();
  const session = useSession();
  const lspgId = Number(data.lspgId);
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const [picking, setPicking] = useState<'products' | 'collections'>();
  const add = useCall('addVariants', TABLE),
    remove = useCall('removeVariants', TABLE),
    map = useCall('mapCollections', TABLE),
    unmap = useCall('unmapCollections', TABLE);
  const products = useAnswer(callOf(`${TABLE}.products`), { lspgId, pageSize: 25, ...(q ? { q } : {}) });
  const collections = useAnswer(callOf(`${TABLE}.mappedCollections`), { lspgId, pageSize: 50 });
  // A collection's products follow by themselves: looked at again until all are there.
  const isCopying = rows(collections.data).some(one => COPYING.includes(text(one.syncStatus)));
  const again = useRef(() => undefined as void);
  useEffect(() => {
    again.current = () => {
      collections.refetch();
      products.refetch();
    };
  });
  useEffect(() => {
    if (!isCopying) return;
    const timer = setInterval(() => again.current(), 2000);
    return () => clearInterval(timer);
  }, [isCopying]);
  const services = useFormServices();
  const verdict = allowsCall(callOf(`${TABLE}.addVariants`), session);
  const refusal = verdict.ok ? {} : { 'aria-disabled': true as const, 'data-tip': verdict.message };
  const found = rows(products.data);
  const total = products.pageInfo?.total ?? found.length;

  /** Sends ids in parts that one call takes, and says what the last answer said. */
  const send = useCallback(
    async (run: typeof add.run, input: { productIds?: number[]; variantIds?: number[]; collectionIds?: number[] }, undo?: () => void) => {
      const all = Object.entries(input).flatMap(([name, list]) => (list ?? []).map(one => [name, one] as const));
      try {
        let message = '';
        for (let from = 0; from < all.length; from += AT_ONCE) {
          const part: JsonObject = { lspgId };
          for (const [name, one] of all.slice(from, from + AT_ONCE)) part[name] = [...ids(part[name]), one];
          message = (await run(part)).message ?? '';
        }
        notify(message || t`Saved.`, undo ? { undo } : {});
        reload();
      } catch (error) {
        notifyError(error);
      }
    },
    [lspgId, reload],
  );
  const takeOff = (product: JsonObject): void => {
    const whole = product.allVariants === true;
    const back = whole ? { productIds: [Number(product.productId)] } : { variantIds: ids(product.selectedVariants) };
    void send(remove.run, { productIds: [Number(product.productId)] }, () => void send(add.run, back));
  };
  const variantLooks = services.looks('variant');
  const isEmpty = found.length === 0 && !q && rows(collections.data).length === 0;
  return (
    <section className="p-card r-section" aria-labelledby={id}>
      <div className="p-card-head">
        <h2 id={id}>
          {section.title ?? t`Products`}
          {total > 0 && <span className="p-count r-mapping-count">{count(total)}</span>}
        </h2>
        <div className="p-row r-section-actions">
          <button
            type="button"
            className="p-btn p-btn-s"
            {...refusal}
            onClick={() => {
              if (verdict.ok) setPicking('collections');
            }}
          >
            {t`Add collections`}
          </button>
          <button
            type="button"
            className="p-btn p-btn-s"
            {...refusal}
            onClick={() => {
              if (verdict.ok) setPicking('products');
            }}
          >
            <Plus aria-hidden="true" />
            {t`Add products`}
          </button>
        </div>
      </div>
      {section.description && <p className="p-hint r-mapping-about">{section.description}</p>}
      {rows(collections.data).length > 0 && (
        <ul className="r-mapped r-collections" aria-label={t`Collections`}>
          {rows(collections.data).map(one => (
            <li key={String(one.id)}>
              <Picture src={text(one.image)} />
              <span className="p-grow">
                <span className="p-cut p-strong">{text(one.title)}</span>
                <span className="p-hint">{COPYING.includes(text(one.syncStatus)) ? t`${sizeOf(one)} · being copied` : sizeOf(one)}</span>
              </span>
              <button
                type="button"
                className="p-icon-btn p-icon-btn-s"
                aria-label={t`Remove the collection ${text(one.title)}`}
                {...refusal}
                onClick={() => {
                  if (verdict.ok)
                    void send(
                      unmap.run,
                      { collectionIds: [Number(one.id)] },
                      () => void send(map.run, { collectionIds: [Number(one.id)] }),
                    );
                }}
              >
                <X aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isEmpty && (
        <div className="r-mapping-search p-affix">
          <span className="p-affix-text">
            <Search aria-hidden="true" />
          </span>
          <input
            type="search"
            className="p-input"
            aria-label={t`Search the products of this group`}
            placeholder={t`Search products`}
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
        </div>
      )}
      {products.error && found.length === 0 ? (
        <p className="p-error r-empty" role="alert">
          {products.error.message}{' '}
          <button type="button" className="p-link" onClick={products.refetch}>
            {t`Try again`}
          </button>
        </p>
      ) : products.data === undefined ? (
        <div className="r-empty" aria-hidden="true">
          {[62, 44, 70].map(width => (
            <span key={width} className="p-skeleton r-sk-line" style={{ width: `${width}%`, margin: '12px 0' }} />
          ))}
        </div>
      ) : isEmpty ? (
        <p className="r-empty p-muted">{t`No product has this offer yet. Add products or whole collections.`}</p>
      ) : found.length === 0 ? (
        <p className="r-empty p-muted">{tx`No product of this group matches “${q}”.`}</p>
      ) : (
        <ul className="r-mapped" aria-label={t`Products`}>
          {found.map(one => (
            <Product
              key={String(one.productId)}
              lspgId={lspgId}
              product={one}
              refusal={verdict.ok ? undefined : verdict.message}
              onRemove={() => takeOff(one)}
              onVariant={(variantId, on) => send(on ? add.run : remove.run, { variantIds: [variantId] })}
            />
          ))}
        </ul>
      )}
      <More answer={products} />
      {picking === 'products' && (
        <PickerDialog
          title={t`Add products`}
          of="product"
          services={services}
          picked={{ whole: [], parts: [] }}
          multiple
          takes="both"
          partLooks={{ ...variantLooks, label: part => text(part.title) }}
          partsOf={async product =>
            Array.isArray(product.variants)
              ? (product.variants as JsonObject[])
              : (await services.find('variant', { filter: { productId: [product.id ?? null] }, pageSize: 100 })).items
          }
          partCount={product => Number(product.variantsCount ?? 1)}
          refuses={product => (product.isGiftCard === true ? t`Gift cards can't be sold on subscription` : undefined)}
          onClose={() => setPicking(undefined)}
          onDone={({ whole, parts }) => {
            setPicking(undefined);
            if (whole.length + parts.length) void send(add.run, { productIds: ids(whole), variantIds: ids(parts) });
          }}
        />
      )}
      {picking === 'collections' && (
        <PickerDialog
          title={t`Add collections`}
          of="collection"
          services={services}
          picked={{ whole: [], parts: [] }}
          multiple
          onClose={() => setPicking(undefined)}
          onDone={({ whole }) => {
            setPicking(undefined);
            if (whole.length) void send(map.run, { collectionIds: ids(whole) });
          }}
        />
      )}
    </section>
  );
}

interface ProductProps {
  lspgId: number;
  product: JsonObject;
  refusal: string | undefined;
  onRemove: () => void;
  onVariant: (variantId: number, on: boolean) => Promise<void>;
}
function Product({ lspgId, product, refusal, onRemove, onVariant }: ProductProps) {
  const [isOpen, setOpen] = useState(false);
  const title = text(product.title);
  const several = Number(product.totalVariants ?? 1) > 1;
  const from = rows(product.collections)
    .map(one => text(one.title))
    .join(', ');
  const byHand = product.byHand === true;
  const why = refusal ?? (byHand ? undefined : t`The collection ${from} brings it. Remove the collection to take it off.`);
  return (
    <li>
      <Picture src={text(product.image)} />
      <span className="p-grow">
        <span className="p-cut p-strong">{title}</span>
        <span className="p-hint">
          {[
            several ? text(product.label) : '',
            from && t.as('collection')`from ${from}`,
            product.status !== 'ACTIVE' ? (STATUSES[text(product.status)] ?? text(product.status).toLowerCase()) : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {several && (
        <button
          type="button"
          className="r-expand"
          aria-expanded={isOpen}
          aria-label={t`Variants of ${title}`}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={16} aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className="p-icon-btn p-icon-btn-s"
        aria-label={t`Remove ${title}`}
        {...(why ? { 'aria-disabled': true, 'data-tip': why } : {})}
        onClick={() => {
          if (!why) onRemove();
        }}
      >
        <X aria-hidden="true" />
      </button>
      {isOpen && (
        <Variants
          lspgId={lspgId}
          productId={Number(product.productId)}
          title={title}
          refusal={why && !byHand ? why : refusal}
          onVariant={onVariant}
        />
      )}
    </li>
  );
}

function Variants({
  lspgId,
  productId,
  title,
  refusal,
  onVariant,
}: {
  lspgId: number;
  productId: number;
  title: string;
  refusal: string | undefined;
  onVariant: ProductProps['onVariant'];
}) {
  const { data, error } = useAnswer(callOf(`${TABLE}.product`), { lspgId, productId });
  // The tick that is being saved shows its new state at once.
  const [busy, setBusy] = useState<{ id: number; on: boolean }>();
  const variants = rows((data as JsonObject | undefined)?.variants);
  const toggle = async (variantId: number, on: boolean): Promise<void> => {
    setBusy({ id: variantId, on });
    try {
      await onVariant(variantId, on);
    } finally {
      setBusy(undefined);
    }
  };
  if (error)
    return (
      <p className="p-error r-variants" role="alert">
        {error.message}
      </p>
    );
  if (data === undefined)
    return (
      <div className="r-variants" aria-hidden="true">
        <span className="p-skeleton r-sk-line" style={{ width: '40%' }} />
      </div>
    );
  return (
    <ul className="r-variants" aria-label={t`Variants of ${title}`}>
      {variants.map(one => (
        <li key={String(one.id)}>
          <label className="p-choice" {...(refusal ? { 'data-tip': refusal } : {})}>
            <input
              type="checkbox"
              className="p-check"
              checked={busy !== undefined && busy.id === one.id ? busy.on : one.selected === true}
              disabled={refusal !== undefined}
              aria-busy={busy?.id === one.id || undefined}
              onChange={event => {
                if (!busy) void toggle(Number(one.id), event.target.checked);
              }}
            />
            <span>{text(one.title)}</span>
            {text(one.sku) && <span className="p-hint">{tx`SKU ${text(one.sku)}`}</span>}
          </label>
        </li>
      ))}
    </ul>
  );
}
