/** The money of the shop; who has no good key is refused. */
export const SHOP = /* GraphQL */ `
  query PerennialShop {
    activeChannel {
      defaultCurrencyCode
      defaultLanguageCode
    }
    globalSettings {
      serverConfig {
        moneyStrategyPrecision
      }
    }
    products(options: { take: 0 }) {
      totalItems
    }
    customers(options: { take: 0 }) {
      totalItems
    }
  }
`;
