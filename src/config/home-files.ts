/** The file that names services, from the folder that holds `campaigns/`. */
export const DEFAULT_SERVICES = 'campaigns/services.yaml';
