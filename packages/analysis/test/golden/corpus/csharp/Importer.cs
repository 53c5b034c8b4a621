using System;
using System.IO;

namespace Store.Import
{
    public static class Importer
    {
        public static int Read(TextReader reader, params string[] columns)
        {
            int rows = 0;
            string? row;
            while ((row = reader.ReadLine()) != null)
            {
                if (row.Length == 0 || row[0] == '#')
                    continue;
                else if (columns.Length > 0)
                {
                    foreach (var column in columns)
                    {
                        if (!row.Contains(column))
                            goto skip;
                    }
                }
                else
                {
                    rows++;
                }
                try
                {
                    Parse(row);
                }
                catch (FormatException error) when (error.Message != "")
                {
                    rows--;
                }
                catch
                {
                    return rows > 0 ? rows : -1;
                }
                skip:;
            }
            return rows;
        }

        public static string Kind(object value)
        {
            switch (value)
            {
                case null:
                    return "nothing";
                case int number when number > 0 && number < 10:
                    return "digit";
                case string:
                    goto case null;
                default:
                    return value.GetType().Name;
            }
        }

        public static int Depth(Node node)
        {
            int Deepest(Node[] nodes)
            {
                int deepest = 0;
                foreach (var each in nodes)
                    deepest = Math.Max(deepest, Depth(each));
                return deepest;
            }

            if (node is null || node.Children is not { Length: > 0 }) return 1;
            return 1 + Deepest(node.Children);
        }

        public static void Wait(Func<bool> isReady, int tries)
        {
            do
            {
                tries--;
            } while (!isReady() && tries > 0);
            lock (Gate)
            {
                for (int each = 0; each < 3; each++) Gate.Pulse();
            }
            cache ??= new Cache();
        }

        public static object Names(Source source)
        {
            return from each in source.All
                   where each.IsOpen && each.Name?.Length > 0
                   select each.Name ?? "";
        }

        public static void Filters()
        {
            Func<int, bool> isSmall = number => number < 10 || number == 100;
            Func<int, bool> isOdd = delegate (int number) { if (number < 0) return false; return number % 2 == 1; };
#if DEBUG && TRACE
            if (isSmall(1)) Console.WriteLine("small");
#endif
        }
    }
}
