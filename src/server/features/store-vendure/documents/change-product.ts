/** How the shop counts prices of a variant, and what it is to be called. */
export const PRICED = /* GraphQL */ `
  query PerennialPriced($id: ID!) {
    activeChannel {
      pricesIncludeTax
    }
    productVariant(id: $id) {
      taxRateApplied {
        value
      }
    }
  }
`;
export const REPRICE = /* GraphQL */ `
  mutation PerennialReprice($input: [UpdateProductVariantInput!]!) {
    updateProductVariants(input: $input) {
      id
    }
  }
`;
export const RENAME = /* GraphQL */ `
  mutation PerennialRename($input: UpdateProductInput!) {
    updateProduct(input: $input) {
      id
    }
  }
`;
