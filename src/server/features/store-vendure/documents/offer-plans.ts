/** The plans there are, for the plugin; one without them does not know the key. */
export const PLANS = /* GraphQL */ `
  mutation PerennialPlans($value: JSON!) {
    setSettingsStoreValue(input: { key: "perennial.plans", value: $value }) {
      result
    }
  }
`;

/** Which variants are offered by which of them. */
export const OFFER = /* GraphQL */ `
  mutation PerennialOffer($variants: [PerennialVariantInput!]!) {
    offerPerennialPlans(variants: $variants)
  }
`;
