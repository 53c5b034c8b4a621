using System;
using System.Collections.Generic;
using System.Linq;

namespace Store.Checkout;

public record Line(string Name, decimal Price, int Count)
{
    public decimal Total => Price * Count;

    public string Describe() => Note ?? (Count > 1 && Price > 0 ? $"{Count} of {Name}" : Name);
}

public class Basket : IBasket, IDisposable
{
    private readonly List<Line> _lines = new();

    public Basket(IEnumerable<Line> lines) : this()
    {
        foreach (var line in lines) _lines.Add(line);
    }

    ~Basket()
    {
        Dispose();
    }

    public string Name { get; set; } = "basket";

    public decimal Shipping(string country) => country switch
    {
        "DE" or "AT" => 4.9m,
        "CH" when Total() > 100 => 0m,
        "CH" => 12m,
        { Length: 2 } and not "US" => 20m,
        _ => Total() > 500 ? 0m : 35m,
    };

    public decimal Total(bool gross = true)
    {
        decimal total = _lines.Sum(line => line.Total * (1 - Discount));
        if (gross)
            total *= 1.19m;
        return total;
    }

    void IBasket.Clear() => _lines.Clear();

    public void Dispose() => GC.SuppressFinalize(this);
}
