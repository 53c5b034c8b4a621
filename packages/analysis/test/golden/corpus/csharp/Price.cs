using System;

namespace Store.Checkout;

public class Price
{
    public decimal Discount
    {
        get { return _discount ?? 0; }
        private set => _discount = value < 0 || value > 1 ? throw new ArgumentException("discount") : value;
    }

    public Line this[int index] => _lines[index];

    public static Price operator +(Price price, Line line) => price.With(line);

    public static implicit operator int(Price price) => price._lines.Count;
}
