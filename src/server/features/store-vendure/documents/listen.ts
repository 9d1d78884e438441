/** Where events go, for the plugin; without it Vendure does not know the key. */
export const LISTEN = /* GraphQL */ `
  mutation PerennialListen($value: JSON!) {
    setSettingsStoreValue(input: { key: "perennial.events", value: $value }) {
      result
      error
    }
  }
`;
