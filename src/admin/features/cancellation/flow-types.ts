// The cancellation flow as the server computes it for a subscription.
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
export interface Reason {
  id: number;
  title: string;
  commentLabel: string;
  commentRequired: boolean;
  treatments: Suggestion[];
  offer: Offer | null;
}
export interface CancellationFlow {
  subscriptionId: number;
  isArl: boolean;
  steps: ('BENEFIT' | 'REASONS' | 'OFFER' | 'CONFIRM')[];
  button: { behavior: 'ALLOW_CANCEL' | 'SHOW_MESSAGE' | 'HIDE_BUTTON'; message: string | null };
  benefit: { id: number; title: string; bodyHtml: string; primaryCtaText: string; secondaryCtaText: string } | null;
  reasons: Reason[];
  offer: Offer | null;
  commentRequired: boolean;
  texts: Record<string, string>;
}
