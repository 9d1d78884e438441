// Chooses the gateway of this process. Only the embedded test gateway exists; a real one takes its place here.
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Gateway } from './gateway.ts';
import { TestGateway } from './test-gateway.ts';

export const openGateway = (_config: Config, db: Database): Gateway => new TestGateway(db);
