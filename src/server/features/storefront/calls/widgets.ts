// Calls about what pages of a shop read: building it at once, and reading it in one piece.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import type { SnapshotKind } from '../build.ts';
import { storefrontPreview, type PreviewOf } from '../preview.ts';
import { publishedData, refresh } from '../publish.ts';

/** Builds what the storefront reads at once (C574, C575, C576). */
export const refreshStoreData = (context: Context, { kind }: { kind: SnapshotKind }): Promise<JsonObject> => refresh(context, kind);

/** What the storefront reads now. */
export const storefrontData = (context: Context, { kind = 'STORE' }: { kind?: SnapshotKind }): Promise<JsonValue> =>
  publishedData(context, kind);

/** The element of shops' pages that a form is about, with what is typed there. */
export const preview = async (context: Context, asked: { of: PreviewOf; record: JsonObject; locale?: string }): Promise<JsonValue> =>
  (await storefrontPreview(context, asked)) as unknown as JsonValue;
