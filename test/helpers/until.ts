/** Resolves once `condition` holds; the event loop turns between two looks, so that what it waits for can happen. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
