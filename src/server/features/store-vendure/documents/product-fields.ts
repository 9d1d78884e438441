/** What is read of a product, for every document that reads products. */
export const PRODUCT_FIELDS = /* GraphQL */ `
  fragment PerennialProduct on Product {
    id
    slug
    name
    description
    enabled
    featuredAsset {
      preview
    }
    optionGroups {
      id
      name
    }
    variants {
      id
      sku
      enabled
      priceWithTax
      currencyCode
      trackInventory
      useGlobalOutOfStockThreshold
      outOfStockThreshold
      stockLevels {
        stockOnHand
        stockAllocated
      }
      options {
        name
        groupId
      }
    }
  }
`;
