import { wordSet } from '../name-rules.ts';

/**
 * Methods of collections, dictionaries, strings, tasks, streams, queries, builders and the like of the standard
 * library. A call of one on a value of unknown type hardly ever means a method of the project.
 */
export const BUILTIN_METHODS = wordSet(
  'Abort Add AddAsync AddRange Aggregate All Any Append AppendLine AsEnumerable AsQueryable AsReadOnly AsSpan',
  'Average Begin BeginInvoke Build Cancel Cast Ceiling Clear Clone Close Combine Compare CompareTo Complete Concat',
  'ConfigureAwait Connect Contains ContainsKey ContainsValue ContinueWith Convert Copy CopyTo Count Create Debug',
  'DefaultIfEmpty Delete Dequeue Dispose DisposeAsync Distinct ElementAt EndInvoke EndsWith Enqueue Ensure Equals',
  'Error Except Execute ExecuteAsync Exists Exit Fill Find FindAll FindIndex First FirstOrDefault Flush FlushAsync',
  'ForEach Format Get GetAsync GetAwaiter GetBytes GetEnumerator GetHashCode GetItem GetOrAdd GetResult GetService',
  'GetString GetType GetValue GetValueOrDefault GroupBy Handle HasFlag IndexOf Info Initialize Insert Intersect',
  'Invoke InvokeAsync Join Last LastIndexOf LastOrDefault Load LoadAsync Lock Log Map Match Matches Max Min',
  'MoveNext Next OfType OnNext Open OrderBy OrderByDescending PadLeft Parse Peek Pop Print Process Publish Push Put',
  'Query Range Read ReadAsync ReadLine ReadToEnd Receive Register Release Remove RemoveAll RemoveAt Replace Reset',
  'Resolve Return Reverse Run RunAsync Save SaveAsync SaveChanges Search Seek Select SelectMany Send SendAsync',
  'SequenceEqual Serialize Set SetResult SetValue Single SingleOrDefault Skip SkipWhile Slice Sort Split Start',
  'StartAsync StartsWith Stop StopAsync Subscribe Substring Sum Take TakeWhile ThenBy ToArray ToDictionary',
  'ToHashSet ToList ToLower ToLowerInvariant ToString ToUpper Trim TrimEnd TrimStart Try TryAdd TryDequeue',
  'TryGetValue TryParse TryRemove Union Update Validate Wait WaitAsync Where With Write WriteAsync WriteLine Zip',
);
