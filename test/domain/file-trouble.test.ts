import { describe, expect, it } from 'vitest';
import { fileTrouble, fileTroubleOf } from '../../src/domain/file-trouble.ts';

describe('why a file cannot be used', () => {
  it.each([
    ['EACCES', 'read', 'may not be read by this user (EACCES)'],
    ['EPERM', 'written', 'may not be written by this user (EPERM)'],
    ['SQLITE_PERM', 'written', 'may not be written by this user (SQLITE_PERM)'],
    ['SQLITE_AUTH', 'written', 'may not be written by this user (SQLITE_AUTH)'],
    ['EISDIR', 'read', 'is a folder (EISDIR)'],
    ['ENOENT', 'read', 'does not exist (ENOENT)'],
    ['ENOTDIR', 'read', 'cannot be there: a part of its path is a file, not a folder (ENOTDIR)'],
    ['EEXIST', 'written', 'cannot be there: a part of its path is a file, not a folder (EEXIST)'],
    ['ELOOP', 'read', 'is a link that leads back to itself (ELOOP)'],
    ['ENAMETOOLONG', 'written', 'has a name that is too long for the disk (ENAMETOOLONG)'],
    ['EROFS', 'written', 'lies where nothing can be written (EROFS)'],
    ['SQLITE_READONLY', 'written', 'lies where nothing can be written (SQLITE_READONLY)'],
    [
      'ENOSPC',
      'written',
      'does not fit: the disk, or the share of it that this user has, is full (ENOSPC)',
    ],
    ['EBUSY', 'written', 'is in use by another program (EBUSY)'],
    ['EMFILE', 'read', 'cannot be opened, as too many files are open (EMFILE)'],
    ['EIO', 'read', 'cannot be read: its disk fails (EIO)'],
    ['ESTALE', 'written', 'cannot be written: its network disk is gone (ESTALE)'],
  ] as const)('is told of %s in plain words, with what to check', (code, doing, is) => {
    expect(fileTrouble(code, doing)).toEqual({
      is,
      check: expect.stringMatching(/^[A-Z].+\.$/) as string,
    });
  });

  it('stays in the words of the system where its code is not known', () => {
    expect(fileTroubleOf(Object.assign(new Error('odd'), { code: 'EODD' }), 'read')).toEqual({
      is: 'cannot be read (odd)',
      check: 'Check the path, its rights and its disk, or name another one.',
    });
    expect(fileTroubleOf('odd', 'written').is).toBe('cannot be written (odd)');
    expect(fileTroubleOf(null, 'written').is).toBe('cannot be written (null)');
    const denied = Object.assign(new Error('EACCES: x'), { code: 'EACCES' });
    expect(fileTroubleOf(denied, 'read').is).toBe('may not be read by this user (EACCES)');
  });
});
