// Calls about what pages of a shop read: building it at once, and reading it in one piece.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import type { SnapshotKind } from '../build.ts';
import { publishedData, refresh } from '../publish.ts';

/** Builds what the storefront reads at once (C574, C575, C576). */
export const refreshStoreData = (context: Context, { kind }: { kind: SnapshotKind }): Promise<JsonObject> => refresh(context, kind);

/** What the storefront reads now. */
export const storefrontData = (context: Context, { kind = 'STORE' }: { kind?: SnapshotKind }): Promise<JsonValue> =>
  publishedData(context, kind);
