export const POSTGRES_SCHEMA: string;
