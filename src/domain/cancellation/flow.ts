/** The cancellation flow of a subscription as it is answered: which steps there are, in which order, and what each says. */
export type Step = 'BENEFIT' | 'REASONS' | 'OFFER' | 'CONFIRM';
export interface Suggestion {
  id: string;
  title: string;
  description: string;
  ctaText: string;
}
export interface Offer {
  id: number;
  title: string;
  bodyHtml: string;
  acceptCtaText: string;
  rejectCtaText: string;
}
export type Reason = {
  id: number;
  title: string;
  commentLabel: string;
  commentRequired: boolean;
  treatments: Suggestion[];
  offer: Offer | null;
};
export interface Benefit {
  id: number;
  title: string;
  bodyHtml: string;
  primaryCtaText: string;
  secondaryCtaText: string;
}
export type CancellationFlow = {
  subscriptionId: number;
  isArl: boolean;
  steps: Step[];
  button: { behavior: 'ALLOW_CANCEL' | 'SHOW_MESSAGE' | 'HIDE_BUTTON'; message: string | null };
  benefit: Benefit | null;
  reasons: Reason[];
  /** Where automatic renewal laws hold: what is offered before anything else. */
  offer: Offer | null;
  commentRequired: boolean;
  texts: Record<string, string>;
};
