export declare const root: string;
export declare function run(command: string, args: string[], options?: object): void;
export declare function fail(message: string): never;
export declare function ensurePackages(): void;
export declare function ensureNode24(): string | undefined;
export declare function ensureApiTools(): string;
export declare function ensureJudges(): string;
export declare function sourceHash(): string;
export declare function ensureBuild(): void;
