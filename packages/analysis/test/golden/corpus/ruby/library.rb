# frozen_string_literal: true

module Library
  class Shelf
    attr_reader :books

    def initialize(books = [], room: 10)
      @books = books
      @room ||= room
    end

    class << self
      def empty
        new([])
      end
    end

    def self.of(*books) = new(books)

    def ==(other)
      other.is_a?(Shelf) && books == other.books
    end

    def full? = books.size >= @room

    def room=(count)
      raise ArgumentError, "room" unless count.positive?

      @room = count
    end

    def put(book, at: nil)
      if full?
        raise "full"
      elsif at.nil? or at > @room
        @books << book
      else
        @books.insert(at, book)
      end
      return book unless book.title
      puts "put #{book.title ? book.title : "it"}" if $VERBOSE
    end

    # `ensure` always runs, and `else` only goes on: neither is a decision.
    def load(path)
      lines = File.readlines(path) rescue []
      lines.each { |line| put(Book.parse(line)) }
    rescue Errno::ENOENT, IOError => error
      warn error.message
    rescue StandardError
      retry if lines.nil?
    else
      books.size
    ensure
      @loaded = true
    end

    def kind(book)
      case book.pages
      when 0, nil then :none
      when 1..100
        :thin
      when ->(pages) { pages > 1000 && pages < 5000 }
        :thick
      when Float then :odd
      else
        book.kind or :book
      end
    end

    def summary(entry)
      case entry
      in { title: String => title, pages: Integer => pages } if pages > 10
        "#{title} (#{pages})"
      in [first, *] unless first.nil?
        first
      in nil | false
        "none"
      in String
        entry
      in _
        entry&.to_s
      end
    end

    def depth(node)
      return 0 if node.nil?

      left = depth(node.left)
      left > 3 ? left : self.depth(node.right) + 1
    end

    def borrow(reader)
      until reader.full?
        books.each do |book|
          next if book.lent? && !book.shared?

          while reader.wants?(book)
            reader.take(book)
          end
        end
        break unless reader.open?
      end
    end

    def wait
      begin
        sleep 1
      end while busy?
      for each in books do each.close end
      sleep 2 until ready?
    end

    define_method(:lend) do |book, reader|
      reader.take(book) if books.include?(book)
    end

    private def on_shelf
      is_old = ->(book, year = 1900) { book.year < year || book.torn? }
      books.select(&is_old).map do |book, index|
        if index then book end
      end
    end
  end

  Card = Struct.new(:name, :number) do
    def valid?
      !(name.empty? && number.zero?) && number < 100
    end
  end

  by_title = lambda do |book|
    book.title unless book.lent?
  end
end

task :index, [:path] do |task, given|
  Library::Shelf.empty.load(given.path) if given.path
end
