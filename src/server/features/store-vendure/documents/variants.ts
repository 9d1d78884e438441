/** The products that variants belong to. */
export const VARIANTS = /* GraphQL */ `
  query PerennialVariants($options: ProductVariantListOptions!) {
    productVariants(options: $options) {
      items {
        productId
      }
    }
  }
`;
