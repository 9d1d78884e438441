// What a box is drawn by.
import type { BoxFault, BoxSize } from '../../domain/bundles/bundle.ts';
import type { BoxPrice, PublishedBox } from '../../domain/bundles/published-box.ts';
import type { PublishedPlan } from '../../domain/widgets/published.ts';

/** What is chosen; undefined as a plan: bought once. */
export interface BoxState {
  filling: Map<number, number>;
  sizeId: number | undefined;
  plan: PublishedPlan | undefined;
}
export interface BoxInput {
  box: PublishedBox;
  currency: string;
  locale: string;
  plans: readonly PublishedPlan[];
  texts: Readonly<Record<string, string>>;
  state: BoxState;
  /** It is in the cart already. */
  isUpdate: boolean;
  /** Its title, picture and description are drawn too. */
  hasHeading: boolean;
  reckon(): BoxPrice;
  faults(): BoxFault[];
  changed(price: BoxPrice, isReady: boolean): void;
  submit(): void;
}
export type Paint = () => void;

/** "6", or "4–12". */
export const piecesOfSize = ({ minSize, maxSize }: BoxSize): string =>
  maxSize === minSize ? String(minSize) : maxSize === 0 ? `${minSize}+` : `${minSize}–${maxSize}`;
