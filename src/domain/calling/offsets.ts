/** The offset of a zone from UTC at a moment (epoch ms), ms, positive in the east; undefined: the zone is not known. */
export type OffsetAt = (zone: string, at: number) => number | undefined;
