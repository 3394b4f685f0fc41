export declare function findNatsServer(): string | null;
