// The kinds of shops that a store can be connected to.
import type { StorePlatform } from '../../platform/store-platform/store-platform.ts';
import { vendure } from '../store-vendure/vendure.ts';

export const PLATFORMS: Record<'VENDURE', StorePlatform> = { VENDURE: vendure };
