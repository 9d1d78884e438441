import { PRODUCT_FIELDS } from './product-fields.ts';

/** A page of products, and what counts for all of them. */
export const PRODUCTS = /* GraphQL */ `
  query PerennialProducts($options: ProductListOptions!) {
    globalSettings {
      trackInventory
      outOfStockThreshold
    }
    products(options: $options) {
      totalItems
      items {
        ...PerennialProduct
      }
    }
  }
  ${PRODUCT_FIELDS}
`;
