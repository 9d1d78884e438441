// The products of a subscription as its customer reads them, on every page and in every e-mail: a bundle whose contents are kept secret is
// one product, by its name.
import { sql } from 'kysely';
import type { EngineContext } from './context.ts';
import { secretBundles } from './bundles.ts';
import { nameOf, type OrderLine } from './price.ts';
import type { ContractRow, LineRow } from './rows.ts';

type LineTold = Pick<
  LineRow,
  'quantity' | 'product_id' | 'variant_id' | 'product_title' | 'variant_title' | 'bundle_transaction_id' | 'one_time_added'
>;
export interface ProductRead<L extends LineTold = LineTold> {
  quantity: number;
  name: string;
  isOneTime: boolean;
  /** The line of a product by itself; undefined for a bundle that keeps its contents secret. */
  line: L | undefined;
  /** All lines that it stands for: what they cost together is what it costs. */
  lines: L[];
}

/** The products of an order as it is priced; the `line` of each is that of the order. `named`: with the names that a reader reads. */
export const productsOfOrder = (
  contract: Partial<Pick<ContractRow, 'bundles'>>,
  lines: readonly OrderLine[],
  named: <L extends LineTold>(line: L) => L,
) =>
  productsRead(
    contract,
    lines
      .map(line => ({
        ...line,
        product_id: line.productId,
        variant_id: line.variantId,
        product_title: line.productTitle,
        variant_title: line.variantTitle,
        bundle_transaction_id: line.bundleTransactionId,
        one_time_added: line.isOneTimeAdded,
      }))
      .map(named),
  );

/** The products in the order of the lines. */
export function productsRead<L extends LineTold>(contract: Partial<Pick<ContractRow, 'bundles'>>, lines: readonly L[]): ProductRead<L>[] {
  const secret = new Map(secretBundles(contract).map(one => [one.id, one]));
  const found: ProductRead<L>[] = [];
  const boxes = new Map<string, ProductRead<L>>();
  for (const line of lines) {
    const bundle = secret.get(line.bundle_transaction_id ?? '');
    const known = bundle && boxes.get(bundle.id);
    if (known) {
      known.lines.push(line);
      continue;
    }
    const isOneTime = line.one_time_added;
    const one = bundle
      ? { quantity: bundle.quantity, name: bundle.name, isOneTime, line: undefined, lines: [line] }
      : { quantity: line.quantity, name: nameOf(line), isOneTime, line, lines: [line] };
    if (bundle) boxes.set(bundle.id, one);
    found.push(one);
  }
  return found;
}

/** The products of some subscriptions by their ids, for pages that read no whole subscription; `named`: as a reader names them. */
export async function productsReadOf(
  { trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>,
  contractIds: readonly number[],
  named: <L extends LineTold>(line: L) => L = line => line,
): Promise<Map<number, ProductRead[]>> {
  const { rows } = await sql<LineTold & { contract_id: number; bundles: ContractRow['bundles'] }>`select l.contract_id, l.quantity,
      l.product_id, l.variant_id, l.product_title, l.variant_title, l.bundle_transaction_id, l.one_time_added, c.bundles
    from contract_lines l join contracts c on c.store_id = l.store_id and c.id = l.contract_id
    where l.store_id = ${storeId}::integer and l.contract_id = any(${[...contractIds]}::bigint[]) order by l.position, l.id`.execute(trx);
  const lines = new Map<number, typeof rows>();
  for (const row of rows) lines.set(row.contract_id, [...(lines.get(row.contract_id) ?? []), named(row)]);
  return new Map([...lines].map(([id, own]) => [id, productsRead({ bundles: own[0]?.bundles ?? null }, own)]));
}

/** "2 × Dark roast, Surprise box" */
export const productsInWords = (products: readonly ProductRead[] = []): string =>
  products.map(({ quantity, name }) => (quantity > 1 ? `${quantity} × ${name}` : name)).join(', ');
